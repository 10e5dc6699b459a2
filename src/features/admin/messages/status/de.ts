import { pluralIn } from '../../../../records/messages.ts'
import type { StatusMessages } from './en.ts'

const plural = pluralIn('de')

export const german: StatusMessages = {
  title: 'Status',
  states: {
    starting: 'Status: wird gestartet',
    good: 'Status: alles in Ordnung',
    bad: 'Status: es gibt etwas zu tun',
  },
  sentences: {
    starting: () => 'Feedhouse liest die Website zum ersten Mal, was einige Minuten dauern kann.',
    ok: () => 'Die Inhalte wurden gelesen und sind aktuell.',
  },
  checkAddress: 'Prüfen, ob Apps die Inhalte erreichen',
  records: {
    title: 'Daten von der Website',
    titles: {
      members: 'Mitglieder',
      'members/contacts': 'Kontaktdaten der Mitglieder',
      training: 'Zertifikate',
    },
    states: {
      held: 'Zurückgehalten',
      heldOnRequest: 'Auf Wunsch zurückgehalten',
      refused: 'Vom API Project nicht erlaubt',
      switchedOff: 'Vom API Project nicht erlaubt: ausgeschaltet',
      failing: 'Nicht lesbar',
      waiting: 'Wartet',
      good: 'Aktuell',
    },
    none: 'Keine Einträge',
    count: (count, shown) => plural(count, { one: '1 Eintrag', other: `${shown} Einträge` }),
    read: 'Gelesen:',
    changed: 'Geändert:',
    never: 'nie',
    isHeld: (count) =>
      `Die Website enthält jetzt nur noch ${count} dieser Einträge, deshalb bleibt die letzte gute Kopie veröffentlicht.`,
    accept: 'Übernehmen',
    acceptWhat: (name) => `(Daten der Website: ${name})`,
    aboutAccepting: (published, count) =>
      `Damit ersetzen Sie die veröffentlichten Einträge (${published}) durch die aktuellen (${count}). Tun Sie das nur, wenn die fehlenden Einträge wirklich von der Website gelöscht wurden.`,
    acceptRecords: 'Daten der Website übernehmen',
    hold: 'Weiter zurückhalten',
    aboutHolding: (published) =>
      `Die veröffentlichten Einträge (${published}) bleiben, bis sie auf der Website wieder da sind oder Sie den Verlust bestätigen. Tun Sie das, wenn die Einträge auf der Website nicht fehlen sollten.`,
    notDecided: {
      'not held': (resource) =>
        `Die Daten ${resource} werden nicht mehr zurückgehalten, deshalb wurde nichts geändert.`,
      'changed meanwhile': (resource) =>
        `Die Daten ${resource} der Website haben sich geändert, seit Sie die Seite geöffnet haben, deshalb wurde nichts übernommen. Prüfen Sie die neuen Zahlen und entscheiden Sie dann.`,
      contended: (resource) =>
        `Feedhouse hat die Daten ${resource} gerade gespeichert, deshalb wurde nichts geändert. Bitte versuchen Sie es noch einmal.`,
    },
  },
  charts: {
    none: 'keine',
    atMost: (most) => `höchstens ${most}`,
    described: (most, unit) => `Höchstens ${most} ${unit}. Die Tabelle enthält alle Zahlen.`,
    units: {
      changes: 'Änderungen',
      calls: 'API-Aufrufe',
      readers: 'Leser',
      apps: 'Apps',
      minutes: 'Minuten',
    },
    asTable: 'Als Tabelle',
    day: 'Tag',
    hour: 'Stunde',
    number: 'Anzahl',
    apps: 'Apps',
    line: (limit) => `Linie: ${limit}.`,
    changes: 'Geänderte Termine an jedem der letzten 30 Tage',
    calls: 'Aufrufe in jeder der letzten 24 Stunden',
    callLimit: (calls) =>
      plural(calls, {
        one: 'mehr als 1 Aufruf pro Stunde, den ganzen Tag lang, würde die Tagesgrenze aufbrauchen',
        other: `mehr als ${calls} Aufrufe pro Stunde, den ganzen Tag lang, würden die Tagesgrenze aufbrauchen`,
      }),
    publicReaders: 'Leser öffentlicher Inhalte an jedem der letzten 30 Tage',
    readers: 'Apps, die einen Abo-Link abgerufen haben, an jedem der letzten 30 Tage',
    ages: {
      caption: 'Alter der Daten in jeder der letzten 24 Stunden',
      described: (title, minutes) =>
        `${title}: höchstens ${minutes} alt. Die Tabelle enthält alle Zahlen.`,
      minutes: (count, shown) =>
        plural(count, { one: `${shown} Minute`, other: `${shown} Minuten` }),
      line: 'wie oft Feedhouse die Daten liest',
      tableOf: 'Alter der Daten',
      column: 'Minuten',
    },
  },
  calls: {
    title: 'API-Aufrufe an die Website',
    minute: (used, max) => `${used} von ${max} in der letzten Minute`,
    day: (used, max) => `${used} von ${max} in den letzten 24 Stunden`,
    meters: { minute: 'Aufrufe in der letzten Minute', day: 'Aufrufe in den letzten 24 Stunden' },
    token: (time) => `Das Zugriffstoken gilt bis ${time} und wird automatisch erneuert.`,
    noToken: 'Das Zugriffstoken ist noch nicht verfügbar.',
    notRenewed: 'Der letzte Versuch, es zu erneuern, ist fehlgeschlagen.',
    refreshToken: 'Das Aktualisierungstoken (Refresh Token) gilt ein Jahr.',
    firstUsed: (day) => `Feedhouse hat es am ${day} zum ersten Mal verwendet.`,
    created: (day) => `Es wurde am ${day} erstellt.`,
    enterDate: 'Datum eintragen',
    date: 'Tag, an dem das Aktualisierungstoken erstellt oder zuletzt neu erzeugt wurde',
    saveDate: 'Datum speichern',
    dateFault:
      'Geben Sie den Tag ein, an dem das Aktualisierungstoken erstellt oder zuletzt neu erzeugt wurde, höchstens vor einem Jahr.',
  },
  publicReaders: {
    title: 'Leser öffentlicher Inhalte',
    about:
      'Wer zwei Inhalte liest, zählt doppelt, und Personen mit derselben App und Adresse zählen einmal. Feedly, Inoreader und ähnliche Dienste melden, wie viele Personen einen Inhalt dort lesen; Feedhouse kann diese Zahlen nicht prüfen. Feedhouse speichert nur diese Zahlen. Um Mitternacht (UTC) vergisst es, wer einen Inhalt gelesen hat.',
    reported: (service) => `${service} (laut eigener Angabe)`,
    families: {
      'Android calendar': 'Android-Kalender',
      'feed reader': 'Feedreader',
      'other calendar': 'anderer Kalender',
      screen: 'Bildschirm',
      browser: 'Browser',
      other: 'andere',
    },
  },
  readers: {
    title: 'Leser von Abo-Links',
    about: 'Eine App, die zwei Links abruft, zählt doppelt. Die Tage gelten in UTC.',
  },
  followers: {
    title: 'Abonnenten',
    mail: (count) => `Per E-Mail: ${count}`,
    push: (count) => `Per Mitteilung auf einem Gerät: ${count}`,
    rejected: (count) => `Von ihrem Mailserver abgelehnt: ${count}`,
    waiting: (count) => `Noch zu sendende Nachrichten: ${count}`,
    find: 'Adresse suchen oder löschen',
  },
  messages: {
    title: 'Warnungen und Webhooks',
    none: 'Feedhouse sendet keine Warnungen. Um welche zu erhalten, setzen Sie ALERT_MAIL oder ALERT_WEBHOOK.',
    tested: 'Die Testnachricht wurde gesendet. Die Ergebnisse stehen unten.',
    purposes: { alerts: 'Warnungen', changes: 'Änderungen' },
    states: { failing: 'Gestört', working: 'Funktioniert', unused: 'Noch nicht verwendet' },
    lastSuccess: 'Letzter Erfolg:',
    failed: (time) => `Fehlgeschlagen am ${time}:`,
    test: 'Testnachricht senden',
  },
  address: {
    title: 'Adresse',
    heading: 'Erreichen Apps die Inhalte?',
    about: (url) =>
      `Prüft die öffentlichen Inhalte unter ${url} so, wie Handys und Kalenderdienste sie abrufen.`,
    noFeeds:
      'Es ist kein öffentlicher Inhalt verfügbar. Öffnen Sie die Seite eines Abo-Links und prüfen Sie die Adresse dort.',
  },
}
