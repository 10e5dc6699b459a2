import type { FollowPageMessages } from './en.ts'

export const german: FollowPageMessages = {
  titled: (title, site) => `${title} – ${site}`,
  getEmail: 'E-Mails erhalten',
  intro:
    'Erfahren Sie per E-Mail, was ansteht. Ohne Konto und ohne App, und jederzeit abbestellbar.',
  introForLink:
    'Erfahren Sie per E-Mail, was in Ihren Kalendern ansteht. Sie können die E-Mails jederzeit abbestellen. Sie enden auch, wenn dieser private Link nicht mehr gilt.',
  address: 'Ihre E-Mail-Adresse',
  afterwards:
    'Zuerst erhalten Sie eine E-Mail mit einem Link zum Bestätigen. Ihre Adresse wird nur für diese E-Mails verwendet.',
  feeds: 'Inhalt',
  times: 'Wann',
  kinds: {
    weekly: 'Jede Woche',
    changes: 'Wenn sich etwas ändert',
    tomorrow: 'Am Tag vor jedem Termin',
    emergency: 'Im Notfall',
  },
  day: 'Tag',
  hour: 'Uhrzeit',
  choice: {
    weekly: (day, clock) => `Jede Woche eine E-Mail, am ${day} um ${clock} Uhr`,
    changes: 'Eine E-Mail bei Änderungen und Neuigkeiten',
    tomorrow: 'Eine E-Mail am Abend vor jedem Termin',
    emergency: 'Eine E-Mail im Notfall',
    feeds: (titles) => `Nur zu: ${titles}`,
    ownOnly: 'Nur zu Ihren eigenen Terminen',
  },
  ownIsIncluded: 'Ihre eigenen Termine sind immer dabei.',
  faults: {
    missing: 'Geben Sie Ihre E-Mail-Adresse ein.',
    invalid: 'Diese E-Mail-Adresse ist ungültig. Sie sollte aussehen wie name@example.org.',
    'too long': 'Eine E-Mail-Adresse hat höchstens 254 Zeichen.',
    feeds: 'Wählen Sie mindestens eine Option aus.',
    times: 'Wählen Sie aus, wann Sie E-Mails erhalten möchten.',
  },
  isFull:
    'Zurzeit melden sich zu viele Personen für E-Mails an. Bitte versuchen Sie es später noch einmal.',
  requested: {
    title: 'Prüfen Sie Ihr Postfach',
    text: 'In wenigen Minuten sollten Sie eine E-Mail mit einem Link zum Bestätigen erhalten. Falls nicht, sehen Sie im Spam-Ordner nach. Der Link ist drei Tage gültig.',
    again: 'Andere Adresse verwenden',
  },
  confirm: {
    title: 'Möchten Sie diese E-Mails erhalten?',
    text: (address) => `Wir senden sie an ${address}.`,
    button: 'Ja, E-Mails senden',
  },
  confirmed: {
    title: 'Anmeldung bestätigt',
    text: (address) => `Wir senden sie an ${address}.`,
    manage: 'Ändern oder abbestellen',
  },
  manage: {
    title: 'Ihre E-Mails',
    text: (address) => `Wir senden sie an ${address}.`,
    save: 'Speichern',
    saved: 'Ihre Auswahl ist gespeichert.',
    stored: 'Ihre Daten herunterladen',
  },
  end: {
    title: 'E-Mails abbestellen?',
    text: (address) => `Wir senden dann keine E-Mails mehr an ${address}.`,
    deletes: 'Ihre Adresse und Ihre Auswahl werden gelöscht.',
    button: 'E-Mails abbestellen',
  },
  ended: {
    title: 'Sie haben die E-Mails abbestellt',
    text: 'Ihre Adresse und Ihre Auswahl wurden gelöscht.',
  },
  unknown: {
    title: 'Dieser Link gilt nicht mehr',
    text: 'Er ist abgelaufen, oder die E-Mails wurden abbestellt.',
  },
  device: {
    about: 'Benachrichtigen über',
    kinds: {
      changes: 'Änderungen und Neuigkeiten',
      tomorrow: 'Termine des nächsten Tages, am Abend vorher',
      emergency: 'Notfälle',
    },
    start: 'Benachrichtigungen einschalten',
    stop: 'Benachrichtigungen ausschalten',
    turnedOn: 'Die Benachrichtigungen auf diesem Gerät sind eingeschaltet.',
    turnedOff: 'Die Benachrichtigungen auf diesem Gerät sind ausgeschaltet.',
    failed: 'Das hat nicht geklappt. Bitte versuchen Sie es später noch einmal.',
    blocked:
      'Ihr Browser blockiert Benachrichtigungen von dieser Website. Erlauben Sie sie in den Einstellungen des Browsers und laden Sie diese Seite neu.',
    unsupported:
      'Dieser Browser kann keine Benachrichtigungen anzeigen. Versuchen Sie es mit Chrome, Edge, Firefox oder Safari, aber nicht in einem privaten Fenster.',
    homeScreen:
      'Auf iPhone und iPad funktionieren Benachrichtigungen nur vom Home-Bildschirm aus: Tippen Sie auf „Teilen“, wählen Sie „Zum Home-Bildschirm“, öffnen Sie die Website von dort und kehren Sie zu dieser Seite zurück.',
  },
}
