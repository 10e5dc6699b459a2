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
      summary: 'Öffentliche Veranstaltungen, die auf der Website angekündigt sind.',
      prefix: 'Veranstaltung:',
      label: 'Öffentliche Veranstaltungen',
    },
    rental: {
      title: 'Vermietungen',
      summary: 'Wann Säle und Räume belegt sind.',
      prefix: 'Vermietung:',
    },
    signup: {
      title: 'Anmeldelisten',
      summary: 'Wofür man sich anmelden kann und wie viele Plätze frei sind.',
      prefix: 'Anmeldung:',
      label: 'Offene Anmeldelisten',
    },
    news: { title: 'Neuigkeiten', summary: 'Neuigkeiten, die neuesten zuerst.' },
    announcements: {
      title: 'Mitteilungen',
      summary: 'Aktuelle Mitteilungen von der Website.',
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
      summary: 'Themen im Forum, der neueste Beitrag zuerst.',
    },
    training: {
      title: 'Zertifikate',
      summary: 'Wann die Zertifikate der Mitglieder ablaufen.',
      prefix: 'Ausbildung:',
    },
    presentations: {
      title: 'Schulungspräsentationen',
      summary: 'Präsentationen aus dem Schulungsbereich, die neuesten zuerst.',
    },
    quizzes: {
      title: 'Schulungstests',
      summary: 'Tests aus dem Schulungsbereich, die neuesten zuerst.',
    },
    members: { title: 'Mitglieder', summary: 'Die Kontaktdaten der Mitglieder.' },
    changes: {
      title: 'Änderungen',
      summary: 'Was sich in den Kalendern geändert hat: Zeiten, Orte, Absagen und neue Termine.',
    },
    digest: {
      title: 'Wochenüberblick',
      summary:
        'Einmal pro Woche: kommende Termine, Änderungen und Neuigkeiten, für einen Newsletter per E-Mail.',
    },
  },
  coming: 'Demnächst',
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
        summary: 'Alle Kalender in einem, jeder Termin nur einmal.',
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
        summary: 'Alle Kalender dieses Abo-Links in einem, jeder Termin nur einmal.',
        summaryWithDuplicates: 'Alle Kalender dieses Abo-Links in einem.',
      },
      news: {
        title: 'Meine Neuigkeiten',
        summary: 'Alle Neuigkeiten dieses Abo-Links in einem Feed.',
      },
    },
    kept: 'Gemerkte Termine',
    noSources:
      'Die für diesen Link ausgewählten Inhalte sind nicht mehr verfügbar. Öffnen Sie die Seite des Links, um andere auszuwählen.',
    ownOnly: 'Die Anmeldungen und ablaufenden Zertifikate des Mitglieds, dem dieser Link gehört.',
    ownCategory: 'Persönlich',
  },
  board: (organization) => `${organization}: Veranstaltungen und Neuigkeiten.`,
  county: {
    calendar: 'Alle Feuerwehren',
    calendarSummary:
      'Die öffentlichen Kalender aller Feuerwehren in einem, für die letzten 30 und die nächsten 180 Tage.',
    news: 'Neuigkeiten aller Feuerwehren',
    newsSummary: 'Aktuelle Neuigkeiten aller Feuerwehren, die neuesten zuerst.',
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
        `${organization}: Der Webmaster hat den Link dieses Abos pausiert, deshalb zeigt es zurzeit nichts an. Behalten Sie das Abo: Alles erscheint automatisch wieder, sobald der Webmaster den Link freigibt.`,
      screen: (organization) =>
        `${organization}: Der Webmaster hat den Link dieses Bildschirms pausiert. Alles erscheint automatisch wieder, sobald der Webmaster den Link freigibt.`,
    },
    revoked: {
      title: 'Dieser Abo-Link wurde widerrufen',
      text: (organization, day) =>
        `${organization}: Der Link dieses Abos wurde am ${day} widerrufen, deshalb wird das Abo nicht mehr aktualisiert. Bitten Sie den Webmaster um einen neuen Link, abonnieren Sie diesen und löschen Sie dieses Abo.`,
      screen: (organization, day) =>
        `${organization}: Der Link dieses Bildschirms wurde am ${day} widerrufen. Bitten Sie den Webmaster um einen neuen Link und öffnen Sie dessen Anzeige auf diesem Bildschirm.`,
    },
    expired: {
      title: 'Dieser Abo-Link ist abgelaufen',
      text: (organization, day) =>
        `${organization}: Der Link dieses Abos ist am ${day} abgelaufen, deshalb wird das Abo nicht mehr aktualisiert. Bitten Sie den Webmaster um einen neuen Link, abonnieren Sie diesen und löschen Sie dieses Abo.`,
      screen: (organization, day) =>
        `${organization}: Der Link dieses Bildschirms ist am ${day} abgelaufen. Bitten Sie den Webmaster um einen neuen Link und öffnen Sie dessen Anzeige auf diesem Bildschirm.`,
    },
  },
  madePrivate: {
    title: 'Dieser Feed ist nicht mehr öffentlich',
    text: (organization, day) =>
      `${organization}: Dieser Feed ist seit ${day} nicht mehr öffentlich, deshalb wird das Abo nicht mehr aktualisiert. Bitten Sie den Webmaster um einen Abo-Link, abonnieren Sie diesen und löschen Sie dieses Abo.`,
  },
  options: {
    dedupe: {
      label: 'Termine in mehreren Kalendern',
      byDefault: 'erscheinen nur einmal',
      others: { 0: 'erscheinen einmal pro Kalender' },
    },
    prefix: {
      label: 'Titel',
      byDefault: 'unverändert',
      others: {
        1: 'beginnen mit einem Stichwort zum Kalender',
        emoji: 'beginnen mit einem Emoji zum Kalender',
      },
    },
    within: {
      label: 'Ablaufdatum',
      byDefault: 'beliebig (in Feedreadern: in den nächsten 90 Tagen)',
      others: {
        30: 'in den nächsten 30 Tagen',
        90: 'in den nächsten 90 Tagen',
        365: 'in den nächsten 12 Monaten',
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
