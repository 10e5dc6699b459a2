import type { FeedMessages } from './en.ts'

export const german: FeedMessages = {
  feeds: {
    calendar: {
      title: 'Kalender',
      summary: 'Übungen, Sitzungen und Dienste der Mitglieder.',
      prefix: 'Mitglieder:',
    },
    events: {
      title: 'Veranstaltungen',
      summary: 'Öffentliche Veranstaltungen, wie auf der Website angekündigt.',
      prefix: 'Veranstaltung:',
      label: 'Öffentliche Veranstaltungen',
    },
    rental: {
      title: 'Vermietungen',
      summary: 'Wann Säle und Räume belegt sind.',
      prefix: 'Vermietung:',
    },
    signup: {
      title: 'Anmeldungen',
      summary: 'Wofür man sich anmelden kann und wie viele Plätze frei sind.',
      prefix: 'Anmeldung:',
      label: 'Offene Anmeldungen',
    },
    news: { title: 'Neuigkeiten', summary: 'Neuigkeiten, die neuesten zuerst.' },
    announcements: {
      title: 'Bekanntmachungen',
      summary: 'Aktuelle Bekanntmachungen von der Website.',
    },
    minutes: { title: 'Protokolle', summary: 'Sitzungsprotokolle, die neuesten zuerst.' },
    documents: {
      title: 'Dokumente',
      summary: 'Dokumente auf der Website, die neuesten zuerst.',
    },
    guestbook: {
      title: 'Gästebuch',
      summary: 'Einträge im Gästebuch, die neuesten zuerst.',
    },
    forum: {
      title: 'Forum',
      summary: 'Themen im Forum, die mit den neuesten Beiträgen zuerst.',
    },
    training: {
      title: 'Zertifikate',
      summary: 'Wann die Zertifikate der Mitglieder ablaufen.',
      prefix: 'Ausbildung:',
    },
    presentations: {
      title: 'Schulungspräsentationen',
      summary: 'Präsentationen im Schulungszentrum, die neuesten zuerst.',
    },
    quizzes: {
      title: 'Schulungstests',
      summary: 'Tests im Schulungszentrum, die neuesten zuerst.',
    },
    members: { title: 'Mitglieder', summary: 'Die Kontaktdaten der Mitglieder.' },
    changes: {
      title: 'Änderungen',
      summary: 'Was sich in den Kalendern geändert hat: Zeiten, Orte, Absagen und neue Termine.',
    },
  },
  prefixFor: (title) => `${title}:`,
  titled: (organization, title) => `${organization}: ${title}`,
  databases: {
    summary: 'Einträge einer Datenbank auf der Website, die letzten Änderungen zuerst.',
    datesSummary: 'Termine aus einer Datenbank auf der Website.',
  },
  topic: {
    summary: 'Antworten auf dieses Thema im Forum.',
    unavailable: 'Dieses Thema ist nicht verfügbar.',
  },
  combined: {
    all: {
      title: 'Alles in einem',
      calendar: {
        title: 'Alle Kalender',
        summary: 'Alle Kalender in einem, mit jedem Termin nur einmal.',
        summaryWithDuplicates: 'Alle Kalender in einem.',
      },
      news: {
        title: 'Alle Neuigkeiten',
        summary: 'Alle Neuigkeiten in einem Feed, für Feedreader.',
      },
    },
    my: {
      title: 'Meine Abos',
      calendar: {
        title: 'Mein Kalender',
        summary: 'Die Kalender dieses Abo-Links in einem, mit jedem Termin nur einmal.',
        summaryWithDuplicates: 'Die Kalender dieses Abo-Links in einem.',
      },
      news: {
        title: 'Meine Neuigkeiten',
        summary: 'Die Neuigkeiten dieses Abo-Links in einem Feed.',
      },
    },
    noSources:
      'Was für diesen Link ausgewählt war, ist nicht mehr verfügbar. Öffnen Sie die Seite des Links und treffen Sie eine neue Auswahl.',
    ownOnly: 'Die Anmeldungen und ablaufenden Zertifikate des Mitglieds, für das dieser Link ist.',
    ownCategory: 'Persönlich',
  },
  board: (organization) => `${organization}: Veranstaltungen und Neuigkeiten.`,
  county: {
    calendar: 'Alle Feuerwehren',
    calendarSummary:
      'Die öffentlichen Kalender aller Feuerwehren in einem, für die letzten 30 und die nächsten 180 Tage.',
    news: 'Neuigkeiten aller Feuerwehren',
    newsSummary: 'Die neuesten Meldungen aller Feuerwehren, die neuesten zuerst.',
    source: (organization, link) => `${organization}: ${link('Kalender und Neuigkeiten')}`,
  },
  contacts: {
    unnamed: (memberId) => `Mitglied ${memberId}`,
    phones: {
      CELL: 'Mobil',
      HOME: 'Privat',
      WORK: 'Arbeit',
      FAX: 'Fax',
      PAGER: 'Pager',
      VOICE: 'Sonstige',
    },
    email: 'Sonstige',
    address: 'Privat',
  },
  link: {
    paused: {
      title: 'Dieser Abo-Link ist pausiert',
      text: (organization) =>
        `${organization}: Die Betreuer der Website haben den Link dieses Abos pausiert, deshalb zeigt es zurzeit nichts an. Behalten Sie das Abo: Alles kommt automatisch zurück, sobald sie den Link wieder freigeben.`,
      screen: (organization) =>
        `${organization}: Die Betreuer der Website haben den Link dieses Bildschirms pausiert. Alles kommt automatisch zurück, sobald sie den Link wieder freigeben.`,
    },
    revoked: {
      title: 'Dieser Abo-Link wurde zurückgezogen',
      text: (organization, day) =>
        `${organization}: Der Link dieses Abos wurde am ${day} zurückgezogen, deshalb wird das Abo nicht mehr aktualisiert. Bitten Sie die Betreuer der Website um einen neuen Link, abonnieren Sie diesen und löschen Sie dieses Abo.`,
      screen: (organization, day) =>
        `${organization}: Der Link dieses Bildschirms wurde am ${day} zurückgezogen. Bitten Sie die Betreuer der Website um einen neuen Link und öffnen Sie dessen Anzeigetafel auf diesem Bildschirm.`,
    },
    expired: {
      title: 'Dieser Abo-Link ist abgelaufen',
      text: (organization, day) =>
        `${organization}: Der Link dieses Abos ist am ${day} abgelaufen, deshalb wird das Abo nicht mehr aktualisiert. Bitten Sie die Betreuer der Website um einen neuen Link, abonnieren Sie diesen und löschen Sie dieses Abo.`,
      screen: (organization, day) =>
        `${organization}: Der Link dieses Bildschirms ist am ${day} abgelaufen. Bitten Sie die Betreuer der Website um einen neuen Link und öffnen Sie dessen Anzeigetafel auf diesem Bildschirm.`,
    },
  },
  options: {
    dedupe: {
      label: 'Termine in mehreren Kalendern',
      byDefault: 'erscheinen einmal',
      others: { 0: 'erscheinen einmal je Kalender' },
    },
    prefix: {
      label: 'Titel',
      byDefault: 'unverändert',
      others: {
        1: 'beginnen mit einem Wort für den Kalender',
        emoji: 'beginnen mit einem Emoji für den Kalender',
      },
    },
    within: {
      label: 'Ablauf',
      byDefault: 'jederzeit (in Feedreadern: innerhalb von 90 Tagen)',
      others: {
        30: 'innerhalb von 30 Tagen',
        90: 'innerhalb von 90 Tagen',
        365: 'innerhalb eines Jahres',
      },
    },
    certificationAlarm: {
      label: 'Erinnerungen',
      thrice: '90, 30 und 7 Tage vorher',
      twice: '90 und 30 Tage vorher',
      month: '30 Tage vorher',
      week: '7 Tage vorher',
      none: 'keine',
    },
  },
}
