import { pluralIn } from '../../../records/messages.ts'
import type { BrowsingMessages } from './en.ts'

const plural = pluralIn('de')

export const german: BrowsingMessages = {
  site: {
    mainNavigation: 'Hauptmenü',
    privatePage: 'Private Seite',
    homeOf: (name) => `${name}: Kalender und Neuigkeiten`,
    calendarFormat: 'iCal',
    followCalendars: 'Diese Kalender abonnieren',
  },
  entries: {
    filters: 'Ein- und ausblenden',
    all: 'Alle',
    onlyMine: 'Nur meine',
    isShown: ' (eingeblendet)',
    isHidden: ' (ausgeblendet)',
    days: 'Tage',
    months: 'Monate',
    list: 'Liste',
    today: 'Heute',
    thisWeek: 'Diese Woche',
    laterIn: (month) => `Später im ${month}`,
    earlier: 'Früher',
    later: 'Später',
    searchLabel: 'In Terminen suchen',
    searchHint: 'In Terminen suchen',
    search: 'Suchen',
    matching: (count, shown, filter) =>
      `${plural(count, { one: '1 Termin passt', other: `${shown} Termine passen` })} zu „${filter}“.`,
    showAll: 'Alle anzeigen',
    followMatching: 'Diese Auswahl abonnieren',
    comingUp: 'Demnächst',
    alsoComingUp: 'Weitere Termine',
    alsoRunning: 'Läuft zurzeit auch',
    latest: 'Neueste Einträge',
    you: (role) => `Sie: ${role}`,
    full: 'voll besetzt',
    open: (open) => `${open} frei`,
    placesOpen: (open, places) =>
      plural(places, {
        one: `${open} von 1 Platz frei`,
        other: `${open} von ${places} Plätzen frei`,
      }),
  },
  certifications: {
    about: 'Nur Personen mit diesem Link sehen diese Seite.',
    expired: 'Abgelaufen',
    within: (days) => `In den nächsten ${days} Tagen`,
    none: 'Keine',
  },
  agenda: {
    roster: {
      title: 'Dienst und Anmeldungen',
      duty: 'Im Dienst',
      noShifts: 'In diesen Tagen ist kein Dienst eingetragen.',
      noSheets: 'In diesen Tagen gibt es keine Anmeldelisten.',
    },
    title: 'Kalender',
    description: (name) => `${name}: kommende Termine.`,
    nothingYet: (follow) =>
      `Noch nichts geplant. ${follow('Jetzt abonnieren')}, dann erscheinen neue Termine automatisch.`,
    nothing: (follow) =>
      `An diesen Tagen ist nichts geplant. ${follow('Jetzt abonnieren')}, dann erscheinen neue Termine automatisch.`,
  },
  month: {
    title: 'Monat',
    description: (month, name) => `${name}: Termine im ${month} zum Lesen und Ausdrucken.`,
    days: 'Tage',
    earlier: 'Frühere Tage',
    thisMonth: 'Aktueller Monat',
    print: 'Drucken',
    isToday: ' (heute)',
    more: (count, shown) => plural(count, { one: '1 weiterer', other: `${shown} weitere` }),
    nothing: (follow) =>
      `In diesem Monat ist nichts geplant. ${follow('Jetzt abonnieren')}, dann erscheinen neue Termine automatisch.`,
  },
  freeDays: {
    title: 'Saal mieten: freie Tage',
    description: (name) => `${name}: Säle und Räume, die in den nächsten 12 Monaten frei sind.`,
    explanation:
      'Freie und belegte Tage in den nächsten 12 Monaten. Gebucht ist ein Tag erst, wenn wir Ihre Anfrage bestätigt haben.',
    request: 'Tag auf der Website anfragen',
    halls: 'Säle und Räume',
    uses: { free: 'frei', partly: 'teilweise belegt', taken: 'belegt' },
    saturdays: (days) => `Nächste freie Samstage: ${days.join(', ')}`,
    unread:
      'Einige Buchungen konnten nicht gelesen werden. Ein Tag, der frei aussieht, kann also belegt sein. Bitte fragen Sie uns, bevor Sie planen.',
    distantEnd: (days) =>
      `Auf unserer Website endet eine Buchung, die an diesem Tag beginnt, ein Jahr oder mehr danach: ${days.join(', ')}. Hier zählt nur ihr erster Tag. Bitte fragen Sie uns nach späteren Tagen.`,
  },
  event: {
    isOver: 'Dieser Termin ist vorbei.',
    isTentative: 'Noch nicht bestätigt. Zeit und Ort können sich ändern.',
    changed: (day) => `Geändert: ${day}`,
    when: 'Wann',
    where: 'Wo',
    map: 'Auf der Karte anzeigen',
    signUp: 'Anmeldung',
    full: 'Alle Plätze vergeben',
    seeSheet: 'Liste auf der Website ansehen',
    signUpOnWebsite: 'Online eintragen',
    places: 'Plätze',
    placesTaken: (taken, places) =>
      plural(places, {
        one: `${taken} von 1 Platz vergeben`,
        other: `${taken} von ${places} Plätzen vergeben`,
      }),
    contact: 'Kontakt',
    add: {
      title: 'In Ihren Kalender übernehmen',
      file: 'Diesen Termin übernehmen',
      google: 'In Google Kalender übernehmen',
      googleName: 'Google Kalender',
      explanation: (follow) =>
        `So speichern Sie eine Kopie, die sich nicht ändert, wenn der Termin verschoben wird. ${follow('Abonnieren Sie den Kalender')}, um auf dem Laufenden zu bleiben. Im abonnierten Kalender ist dieser Termin schon enthalten.`,
    },
  },
  kept: {
    title: 'Aktuell halten',
    explanation:
      'Fügt einen Kalender nur mit den Terminen hinzu, die Sie hier merken, mit allen Änderungen.',
    save: 'Diesen Termin merken',
    saved: 'Gemerkte Termine ({n})',
    full: (most) =>
      `Sie haben ${most} Termine gemerkt, mehr sind nicht möglich. Entfernen Sie zuerst einen.`,
  },
  share: {
    title: 'Teilen',
    share: 'Teilen\u{a0}…',
    copy: 'Adresse kopieren',
    copied: 'Kopiert',
    copyByHand: 'Kopieren Sie die Adresse oben im Fenster.',
    email: 'E-Mail',
    message: 'SMS',
    flyer: 'Aushang zum Drucken',
    picture: 'Als Bild speichern',
    flyerUse:
      'Für den Tresen, das Schwarze Brett oder soziale Medien. Füllt eine Seite A4 oder Letter.',
  },
  news: {
    description: (title, name) => `${name}: ${title} nach Kategorie und Monat.`,
    kinds: 'Arten von Dokumenten',
    categories: 'Kategorien',
    searchLabel: 'Suchbegriffe',
    searchHint: 'Suchen',
    search: 'Suchen',
    foundStories: (count, shown, { month, search }) =>
      `${plural(count, { one: '1 Neuigkeit', other: `${shown} Neuigkeiten` })}${foundWhere(month, search)}.`,
    foundDocuments: (count, shown, { month, search }) =>
      `${plural(count, { one: '1 Dokument', other: `${shown} Dokumente` })}${foundWhere(month, search)}.`,
    showAll: 'Alle anzeigen',
    followSearch: 'Diese Suche abonnieren (RSS)',
    noStories: (follow) =>
      `Noch keine Neuigkeiten. ${follow('Jetzt abonnieren')}, dann erscheinen neue automatisch.`,
    noDocuments: (follow) =>
      `Noch keine Dokumente. ${follow('Jetzt abonnieren')}, dann erscheinen neue Dokumente automatisch.`,
    pages: 'Seiten',
    newer: 'Neuere',
    older: 'Ältere',
    newerStory: 'Neuer',
    olderStory: 'Älter',
    archive: 'Archiv',
    allMonths: 'Alle Monate',
    feedReader: 'Im Feedreader abonnieren (RSS)',
    stories: 'Neuigkeiten',
    moreIn: (category) => `Mehr aus ${category}`,
    allOf: (title) => `Alle ${title}`,
  },
  search: {
    title: 'Suche',
    hint: 'Termine, Neuigkeiten, Dokumente …',
    explanation:
      'Findet alles, worin alle Wörter vorkommen. Setzen Sie zusammengehörige Wörter in "Anführungszeichen" und ein Minuszeichen vor Wörter, die nicht vorkommen sollen.',
    found: (count, shown, search) =>
      `${plural(count, { one: '1 Treffer', other: `${shown} Treffer` })} für „${search}“.`,
    nothing: (search) =>
      `Keine Treffer für „${search}“. Prüfen Sie die Schreibweise, oder versuchen Sie es mit weniger Wörtern oder nur mit dem Anfang eines Wortes.`,
    shown: (shown, count) => `${shown} von ${count} angezeigt.`,
    allIn: (title) => `Alle in „${title}“`,
    inCalendar: 'Alle im Kalender',
    follow: 'Diese Suche im Kalender abonnieren',
    otherApps: 'Andere Apps',
  },
  county: {
    departmentCount: (count) => (count === 1 ? '1 Feuerwehr' : `${count} Feuerwehren`),
    description: (departments) => `Kalender und Neuigkeiten von ${departments}.`,
    none: 'Hier ist noch keine Feuerwehr eingetragen.',
    heading: 'Termine aller Feuerwehren in Ihrem Kalender',
    feedReaders: 'Für Feedreader:',
    nothingYet: 'Noch nichts geplant.',
    news: 'Neuigkeiten',
    departments: 'Feuerwehren',
    website: 'Website',
    websiteOf: (name) => `von ${name}`,
  },
  gone: {
    title: 'Nicht auf der Website',
    heading: 'Dieser Eintrag ist nicht mehr auf der Website',
    explanation: (feed) =>
      `Die Website zeigt diesen Eintrag unter „${feed}“ nicht mehr an. Er ist vorbei, wurde gelöscht oder ist nicht öffentlich.`,
    isRemoved: 'Auf der Website ist dieser Eintrag nicht mehr zu finden.',
  },
  poster: {
    title: 'Plakat',
    description: (name) => `${name}: Plakat zum Ausdrucken, das zum Abonnieren einlädt.`,
    explanation:
      'Für die Theke, das Schwarze Brett oder die Fahrzeugtür. Das Plakat füllt eine Seite im Format A4 oder Letter. Wählen Sie beim Drucken „Hintergrundgrafiken“, damit die Farben mitgedruckt werden.',
    print: 'Plakat drucken',
    label: 'Plakat zum Ausdrucken',
    qrCode: (address) => `QR-Code für ${address}`,
    forCalendar: {
      heading: 'Unsere Termine in Ihrem Kalender',
      tap: 'Ihren Kalender antippen',
    },
    forFeedReader: {
      heading: 'Unsere Neuigkeiten in Ihrem Feedreader',
      tap: 'Ihren Feedreader antippen',
    },
    scan: 'Handykamera auf den Code richten',
    updates: 'Neue Termine erscheinen automatisch',
  },
  embed: {
    noEntries: 'Zurzeit sind keine Termine geplant.',
    noNews: 'Noch keine Neuigkeiten.',
    follow: 'Abonnieren',
    nextOfAll: 'Alle Kalender: nächster Termin',
    monthOfAll: 'Alle Kalender: Monat',
  },
  errors: {
    notFound: 'Seite nicht gefunden.',
    invalid: 'Die Anfrage ist ungültig.',
    failed: (id) => `Da ist etwas schiefgelaufen. Der Fehler ist unter ${id} protokolliert.`,
    isBusy: 'Der Server ist gerade ausgelastet. Bitte versuchen Sie es gleich noch einmal.',
    picturesBusy:
      'Es werden gerade zu viele Bilder geladen. Bitte versuchen Sie es gleich noch einmal.',
    drawsNoPictures:
      'Dieser Server kann keine Bilder zeichnen, weil die Bibliothek sharp seine Plattform nicht unterstützt.',
    unread: 'Die Website wurde noch nicht eingelesen. Bitte versuchen Sie es gleich noch einmal.',
    isSwitchedOff:
      'Dieser Inhalt ist zurzeit nicht verfügbar. Behalten Sie Ihr Abo: Der Inhalt erscheint automatisch wieder, sobald die Website ihn bereitstellt.',
    isStoreFull:
      'Das kann nicht gespeichert werden, weil der Datenträger oder die Datenbank von Feedhouse voll ist. Geben Sie Speicherplatz frei, gehen Sie dann zurück und versuchen Sie es noch einmal.',
    storeFailed:
      'Die gespeicherten Daten sind gerade nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.',
    unknownLink: 'Unbekannter Link. Bitten Sie die Person, von der Sie ihn haben, um einen neuen.',
    linksNotLoaded: 'Die Links werden noch geladen. Bitte versuchen Sie es gleich noch einmal.',
    isClosed: 'Dieser Link ist nicht mehr aktiv. Es wurde nichts gespeichert.',
    forms: {
      expired: 'Ihre Sitzung ist abgelaufen. Laden Sie die Verwaltungsseite neu.',
      otherAddress: 'Dieses Formular wurde von einer Seite mit einer anderen Adresse abgeschickt.',
      otherAddressThan: (url, setting) =>
        `Dieses Formular wurde von einer Seite mit einer anderen Adresse abgeschickt. Öffnen Sie die Seite unter ${url}, oder korrigieren Sie ${setting}.`,
      otherHost: (setting) =>
        `Die Verwaltungsseite ist unter diesem Hostnamen nicht verfügbar. Tragen Sie in ${setting} die Adresse von Feedhouse ein, oder öffnen Sie die Seite über die IP-Adresse.`,
      unreadable: 'Das Formular ist nicht lesbar. Bitte versuchen Sie es noch einmal.',
      tooManyFields: (max) => `Das Formular hat mehr als ${max} Felder.`,
      tooLong: (kibibytes) =>
        `Der Text ist zu lang. Verwenden Sie höchstens ${kibibytes} KiB; teilen Sie eine lange Liste in mehrere auf.`,
    },
    tooMany: {
      'too many variants':
        'In kurzer Zeit wurden zu viele verschiedene Inhalte abgerufen. Bitte versuchen Sie es gleich noch einmal.',
      'too many guesses':
        'Es wurden zu viele unbekannte Adressen abgerufen. Bitte versuchen Sie es später noch einmal.',
      'too many saves':
        'Ihre Auswahl wurde in kurzer Zeit zu oft gespeichert. Bitte versuchen Sie es gleich noch einmal.',
      'too many sign-ins':
        'Zu viele falsche Passwörter. Bitte versuchen Sie es in einer Minute noch einmal.',
      'too many account requests':
        'Kalender-Apps haben zu viele Anfragen mit diesem Link gesendet. Bitte versuchen Sie es gleich noch einmal.',
    },
    isNotIncluded: (feed) =>
      `${feed === undefined ? 'Dieser Inhalt' : `„${feed}“`} gehört nicht zu diesem Link. Bitten Sie den Webmaster um einen anderen.`,
    isNotPublic: (feed) =>
      `${feed === undefined ? 'Dieser Inhalt' : `„${feed}“`} ist nicht öffentlich. Wenn Sie einen privaten Link haben, finden Sie den Inhalt vielleicht auf dessen Seite. Sonst bitten Sie den Webmaster um einen Link.`,
  },
}

function foundWhere(month: string | undefined, search: string): string {
  const from = month === undefined ? '' : ` im ${month}`
  return search === '' ? from : `${from} mit „${search}“`
}
