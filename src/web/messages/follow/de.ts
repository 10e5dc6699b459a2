import { pluralIn } from '../../../records/messages.ts'
import type { FollowMessages } from './en.ts'

const plural = pluralIn('de')

export const german: FollowMessages = {
  common: {
    allFeeds: 'Alle Abos und Adressen',
    ourWebsite: 'Unsere Website',
    calendarsAndNews: 'Kalender und Neuigkeiten',
    ofFeed: (title) => `(${title})`,
    titled: (title, text) => `${title}: ${text}`,
    copy: 'Kopieren',
    copied: 'Kopiert',
    save: 'Speichern',
    nothingPublic: (site) =>
      `${site} hat zurzeit keine öffentlichen Kalender oder Neuigkeiten. Als Mitglied erhalten Sie vom Webmaster einen privaten Link.`,
    nothingNow: 'Im Moment gibt es nichts zu abonnieren. Bitte schauen Sie später wieder vorbei.',
    isLocal:
      'Diese Adressen sind nur auf diesem Computer erreichbar. Für Google, Outlook und Handys braucht Feedhouse eine öffentliche Adresse (Einstellung PUBLIC_URL).',
    otherOrigin:
      'Dieses Formular wurde von einer Seite mit einer anderen Adresse abgeschickt. Öffnen Sie das Formular unter dieser Adresse und versuchen Sie es noch einmal.',
    noneChosen: 'Wählen Sie mindestens einen Kalender aus.',
    noneChosenNews: 'Wählen Sie mindestens eine Art von Neuigkeiten aus.',
    withdrawn: 'Die ausgewählten Kalender gibt es nicht mehr. Bitte wählen Sie andere aus.',
    withoutEntries: (id) => `Nummer ${id}, zurzeit ohne Einträge`,
  },
  home: {
    titleWithCalendar: (site) => `${site}: Kalender`,
    titleWithNews: (site) => `${site}: Neuigkeiten`,
    description: (site) => `${site}: Kalender und Neuigkeiten auf Ihrem Handy oder Computer.`,
    privateLink: 'Privater Link',
    freeDays: 'Saal mieten: freie Tage',
    forScreens: 'Für Bildschirme',
    forWebsite: 'Für Ihre Website',
    isMissing: 'Fehlt etwas in Ihrer App?',
    heading: 'Unsere Termine in Ihrem Kalender',
    headingForMember: 'In Ihren Kalender übernehmen',
    introForMember:
      'Ihre eigenen Dienste und alles, was Sie hier auswählen. Änderungen erscheinen automatisch.',
    introWithoutChoice: 'Änderungen erscheinen automatisch.',
    introWithSaving: 'Wählen Sie aus, was Sie interessiert. Das können Sie hier jederzeit ändern.',
    intro: 'Wählen Sie aus, was Sie interessiert. Änderungen erscheinen automatisch.',
    saved: 'Gespeichert. Ihre Apps zeigen die Auswahl nach der nächsten Aktualisierung.',
    whatToFollow: 'Was möchten Sie abonnieren?',
    moreCalendars: (count, chosen) =>
      plural(count, {
        one: `${count} weiterer Kalender (${chosen} ausgewählt)`,
        other: `${count} weitere Kalender (${chosen} ausgewählt)`,
      }),
    updateButtons: 'Schaltflächen aktualisieren',
    onYourPhone: 'Aufs Handy holen',
    qrCode: 'QR-Code, der diese Seite auf dem Handy öffnet',
    pointCamera: 'Richten Sie die Handykamera auf den Code.',
    hello: (name) => `Hallo ${name}`,
    yourCalendar: 'Ihr Kalender',
    yourNextShifts: 'Ihre nächsten Dienste',
    noShifts: 'In den nächsten drei Monaten sind Sie nirgends eingetragen.',
    allYourEntries: 'Alle Ihre Termine',
    onDutyTonight: 'Heute Nacht im Dienst',
    canYouHelp: 'Können Sie helfen?',
    weeklyEmail: 'Wöchentliche E-Mail erhalten',
    next: 'Als Nächstes',
    nextEvent: 'Nächste Veranstaltung',
    comingUp: 'Demnächst',
    calendarIsLoading: 'Der Kalender wird geladen. Laden Sie diese Seite in einer Minute neu.',
    nothingPlanned:
      'Noch ist nichts geplant. Abonnieren Sie jetzt, dann erscheinen neue Termine automatisch.',
    wholeCalendar: 'Ganzer Kalender',
    printMonth: (month) => `${month} drucken`,
    announcements: 'Mitteilungen',
    news: 'Neuigkeiten',
    followNews: 'Unsere Neuigkeiten abonnieren',
    newsIsLoading: 'Die Neuigkeiten werden geladen. Laden Sie diese Seite in einer Minute neu.',
    noNews: 'Noch keine Neuigkeiten. Abonnieren Sie jetzt, dann erscheinen neue automatisch.',
    allNews: 'Alle Neuigkeiten',
    newsInReader: 'Unsere Neuigkeiten in einem Feedreader lesen',
    rssAddress: 'RSS-Adresse',
    theRssAddress: '(RSS-Adresse)',
    isPrivate: 'Diese Seite ist privat',
    isPrivateUntil: (day) => `Diese Seite ist privat (gültig bis: ${day})`,
    anyoneCanRead:
      'Wer die Adresse dieser Seite hat, kann diese Inhalte lesen. Bitte geben Sie sie nicht weiter.',
    appleUnencrypted:
      'Beim Abonnieren überträgt der Apple-Kalender die Adresse unter Umständen einmal unverschlüsselt. In einem Netz, dem Sie nicht vertrauen, kopieren Sie besser die Adresse und fügen sie von Hand ein.',
    isPersonal:
      'Dieser Link gehört einer einzelnen Person. Der Kalender enthält immer auch ihre eigenen Anmeldungen und die Tage, an denen ihre Zertifikate ablaufen.',
    memberContacts: 'Telefonnummern und Adressen der Mitglieder',
  },
  script: {
    saved: 'Gespeichert. Ihre Apps zeigen die Auswahl nach der nächsten Aktualisierung.',
    notSaved:
      'Ihre Auswahl konnte nicht gespeichert werden. Versuchen Sie es mit „Speichern“ noch einmal.',
    buttonsUpdated: 'Die Schaltflächen enthalten jetzt Ihre Auswahl.',
    copiedToSend: 'Kopiert. Senden Sie sich die Adresse selbst zu.',
    addressesUpdated: 'Die Adressen wurden aktualisiert',
  },
  apps: {
    apps: 'Apps',
    otherApp: 'Andere App',
    otherAppOrNone: 'Andere App oder keine App',
    openInChrome: 'In Chrome öffnen',
    openInSafari: 'In Safari öffnen',
    sendToComputer: 'An meinen Computer senden',
    copyAddress: 'Adresse kopieren',
    copyBelow: 'Kopieren Sie die Adresse unten.',
    pasteAndConfirm: 'Fügen Sie die Adresse ein und bestätigen Sie.',
    copyAndOpenGoogle: 'Kopieren und Google Kalender öffnen',
    stepByStep: 'Schritt für Schritt',
    nothingHappened: 'Nichts passiert? Adresse kopieren',
    addressOf: (app) => `Kalenderadresse (${app})`,
    theAddressOf: (app) => `(Adresse für ${app})`,
    apple: {
      name: 'iPhone, iPad, Mac',
      add: 'Zum Apple-Kalender hinzufügen',
      after:
        'Tippen Sie auf „Abonnieren“, wenn Ihr Gerät danach fragt. Änderungen erscheinen meist innerhalb weniger Stunden.',
      steps: [
        'Öffnen Sie diese Seite in Safari und tippen Sie noch einmal auf die Schaltfläche oder kopieren Sie die Adresse unten.',
        'iPhone, iPad: Öffnen Sie Einstellungen › Apps › Kalender › Kalenderaccounts › Account hinzufügen › Andere › Kalenderabo hinzufügen. Mac: Öffnen Sie die App „Kalender“ und wählen Sie Ablage › Neues Kalenderabonnement.',
      ],
    },
    google: {
      add: 'Zu Google Kalender hinzufügen',
      onPhone:
        'In der Handy-App von Google lassen sich keine Kalender hinzufügen. Fügen Sie den Kalender einmal am Computer hinzu, dann erscheint er auch auf Ihrem Handy.',
      after:
        'Klicken Sie auf „Hinzufügen“, wenn Google danach fragt. Google zeigt Änderungen innerhalb eines Tages.',
      afterCopying:
        'Fügen Sie dort die Adresse ein und klicken Sie auf „Kalender hinzufügen“. Google zeigt Änderungen innerhalb eines Tages.',
      steps: [
        'Öffnen Sie am Computer calendar.google.com und wählen Sie neben „Weitere Kalender“ + › Per URL.',
        'Fügen Sie die Adresse ein und klicken Sie auf „Kalender hinzufügen“. Der Kalender erscheint auch auf Ihrem Handy.',
      ],
    },
    outlook: {
      add: 'Zu Outlook.com hinzufügen',
      addToMicrosoft365: 'Firma oder Schule (Microsoft 365)',
      after:
        'Falls Outlook Sie zur Anmeldung auffordert, melden Sie sich an und klicken Sie danach noch einmal auf die Schaltfläche. Outlook zeigt Änderungen innerhalb eines Tages.',
      steps: [
        'Öffnen Sie in Outlook den Kalender und wählen Sie Kalender hinzufügen › Aus dem Internet abonnieren. Im klassischen Outlook: Datei › Kontoeinstellungen › Internetkalender › Neu.',
        'Fügen Sie die Adresse ein und klicken Sie auf „Importieren“ oder „Hinzufügen“.',
      ],
    },
    android: {
      openIcsx5: 'Kein Computer? In ICSx⁵ öffnen',
      after:
        'Android-Handys können Kalender nicht selbst hinzufügen. Fügen Sie den Kalender einmal am Computer hinzu, dann erscheint er innerhalb eines Tages auf Ihrem Handy. Kein Computer? Verwenden Sie ICSx⁵, eine kostenlose App.',
      send: 'Senden Sie sich diese Seite selbst zu oder kopieren Sie die Adresse unten.',
      add: 'Öffnen Sie die Seite am Computer und klicken Sie auf „Zu Google Kalender hinzufügen“.',
      addByCopying:
        'Öffnen Sie die Seite am Computer, klicken Sie auf „Kopieren und Google Kalender öffnen“ und fügen Sie die Adresse ein.',
      turnOn:
        'Öffnen Sie auf dem Handy das Menü von Google Kalender und setzen Sie das Häkchen beim neuen Kalender.',
    },
    other: {
      name: 'Andere Apps',
      short: 'Andere',
      inApp:
        'Im Browser dieser App lassen sich keine Kalender hinzufügen. Öffnen Sie die Seite in Ihrem eigenen Browser: Tippen Sie auf die Schaltfläche oben oder sehen Sie im Menü ⋯ oder ⋮ nach.',
      after:
        'Für Thunderbird, Proton, Fastmail, Nextcloud und andere. Wann Änderungen erscheinen, hängt von der App ab: Es dauert zwischen einer Stunde und einer Woche.',
      look: 'Suchen Sie in Ihrer App nach „Abonnieren“, „Per URL“ oder „Neuer Kalender“ › „Im Netzwerk“.',
    },
  },
  feeds: {
    title: (site) => `${site}: alle Abos und Adressen`,
    description:
      'Unsere Termine und Neuigkeiten: in Ihrem Kalender, im Feedreader oder auf dieser Seite.',
    intro: (home) =>
      `Alle Kalender und Feeds mit ihren Formaten und Optionen. Am schnellsten abonnieren Sie auf der ${home('Startseite')}.`,
    isPrivate:
      'Diese Seite ist privat: Wer ihre Adresse hat, kann diese Inhalte lesen. Bitte geben Sie sie nicht weiter. Bei Google fügen Sie die kopierte Adresse ein. Apple überträgt die Adresse beim Antippen der Schaltfläche unter Umständen einmal unverschlüsselt: In einem Netz, dem Sie nicht vertrauen, kopieren Sie besser die Adresse.',
    everythingForReaders: 'Alles in einem, für Feedreader.',
    upcoming: 'Demnächst',
    latest: 'Neueste Einträge',
    includes: (chosen) => `Diese Schaltflächen und Adressen enthalten: ${chosen}.`,
    reset: 'Zurücksetzen',
    appleOrDevice: 'Apple oder dieses Gerät',
    googleCalendar: 'Google Kalender',
    calendarAddress: 'Kalenderadresse',
    forReaders: (format) => `${format}, für Feedreader`,
    formatOf: (format, title) => `${format} (${title})`,
    download: 'Kopie herunterladen',
    willNotUpdate: '(wird nicht aktualisiert)',
    qrCode: 'QR-Code',
    qrCodeOf: (title) => `QR-Code fürs Handy: ${title}`,
    pointCamera: 'Richten Sie die Handykamera auf den Code, um auf dem Handy zu abonnieren.',
    options: 'Optionen',
    onlyThese: 'Nur diese',
    updateAddresses: 'Adressen aktualisieren',
    parts: 'Einzeln abonnieren',
    lastChanged: (moment) => `Letzte Änderung: ${moment}`,
    chosenOption: (option, value) => `${option}: ${value}`,
    tooLong: (characters) =>
      `Die Adresse hätte mehr als ${characters} Zeichen, das lehnen manche Kalender ab. Wählen Sie weniger Optionen.`,
    unknownChoice: (value) => `Unbekannte Auswahl: ${value}.`,
    members: 'Mitglieder',
    membersAbout: 'Telefonnummern, E-Mail- und Postadressen aller Mitglieder, für Adressbücher.',
    membersOneByOne: 'Alle Mitglieder, einzeln fürs Handy',
    combinedForReaders: (formats) => `Für Feedreader: ${formats}.`,
    poster: 'Plakat zum Ausdrucken',
    setUpScreen: 'Bildschirm einrichten',
    opml: 'Alle Feeds mit Neuigkeiten für einen Feedreader (OPML)',
  },
  matches: {
    entries: (count, isMore) =>
      count === 0
        ? 'Zurzeit passt kein kommender Termin. Sobald ein passender eingetragen ist, erscheint er.'
        : `Zurzeit ${plural(count, { one: 'passt', other: 'passen' })} ${isMore ? 'mindestens ' : ''}${plural(count, { one: '1 kommender Termin', other: `${count} kommende Termine` })}.`,
    items: (count, isMore) =>
      count === 0
        ? 'Zurzeit passt kein Beitrag. Sobald ein passender veröffentlicht ist, erscheint er.'
        : `Zurzeit ${plural(count, { one: 'passt', other: 'passen' })} ${isMore ? 'mindestens ' : ''}${plural(count, { one: '1 Beitrag', other: `${count} Beiträge` })}.`,
    show: 'Treffer anzeigen',
  },
  howSoon: {
    title: 'Wann Änderungen erscheinen',
    about:
      'Änderungen auf der Website erscheinen hier innerhalb weniger Minuten. Wie oft Ihre App danach sucht, hängt von der App ab.',
    app: 'Kalender oder Feedreader',
    checks: 'Sucht nach Änderungen',
    rows: [
      [
        'Apple-Kalender',
        'alle 15 Minuten bis einmal pro Woche, je nach Ihren Einstellungen: auf dem iPhone unter Einstellungen › Apps › Kalender › Kalenderaccounts › Datenabgleich, auf dem Mac in den Informationen zum Kalender („Automatisch aktualisieren“)',
      ],
      [
        'Google Kalender',
        'alle 8 bis 24 Stunden (nicht änderbar). Kalender lassen sich nur am Computer hinzufügen, nicht in der Handy-App',
      ],
      ['Outlook.com, Microsoft 365', 'etwa alle 3 Stunden, manchmal nur einmal am Tag'],
      ['Outlook für Windows', 'beim Start, danach alle 1 bis 3 Stunden'],
      ['Thunderbird', 'je nach den Einstellungen des Kalenders'],
      ['Android', 'je nach den Einstellungen einer App für Kalenderabos, zum Beispiel ICSx⁵'],
    ],
    readers: ['Feedreader', 'meist alle 15 bis 60 Minuten'],
  },
  choice: {
    title: 'Alles in einem',
    about:
      'Eine einzige Adresse mit allem, was Sie unten auswählen. Sie können Ihre Auswahl später ändern: Die Adresse auf Ihrem Handy bleibt gleich.',
    isPersonal:
      'Dieser Link gehört einer einzelnen Person. „Mein Kalender“ zeigt unabhängig von Ihrer Auswahl auch ihre eigenen Anmeldungen und wann ihre Zertifikate ablaufen.',
    saved: 'Ihre Auswahl ist gespeichert. Ihre Apps zeigen sie nach der nächsten Aktualisierung.',
    isEmpty: (title) =>
      `${title}: Hier gibt es nichts anzuzeigen, weil die ausgewählten Inhalte nicht mehr verfügbar sind. Wählen Sie unten etwas anderes aus.`,
    calendar: 'Mein Kalender',
    news: 'Meine Neuigkeiten',
    newsForReaders: 'Meine Neuigkeiten, für Feedreader',
    theAddressOf: (label) => `(Adresse: ${label})`,
    chooseContent: 'Inhalt auswählen',
    optional: '(optional)',
    isShared:
      'Ihre Auswahl wird für diesen Link gespeichert und gilt daher für alle, die ihn verwenden.',
    reminderFor: (title) => `Erinnerung für ${title}`,
    sameAsAbove: 'wie oben',
    noReminder: 'keine',
  },
  website: {
    title: 'Für Ihre Website',
    about:
      'So erscheinen Termine und Neuigkeiten auf der eigenen Website der Organisation und bleiben dort aktuell.',
    updateCode: 'Code aktualisieren',
    preview: 'Vorschau',
    theCode: (label) => `(${label})`,
    show: 'Inhalt',
    layout: 'Darstellung',
    layouts: { list: 'Liste', cards: 'Karten', month: 'Monat (nur Kalender)' },
    colors: 'Farben',
    themes: {
      auto: 'Wie auf Ihrer Seite',
      light: 'Hell',
      dark: 'Dunkel',
      device: 'Wie auf dem Gerät der Besucher',
    },
    html: 'Code für WordPress, Squarespace und HTML',
    htmlHelp:
      'HTML: Fügen Sie den Code in die Seite ein. WordPress: Fügen Sie einen Block „Individuelles HTML“ hinzu und setzen Sie den Code dort ein. Speichern können ihn nur Administratoren und Redakteure. Squarespace: Fügen Sie einen Code-Block hinzu, setzen Sie den Code dort ein und lassen Sie „Quelltext anzeigen“ ausgeschaltet.',
    url: 'Adresse für Google Sites',
    urlHelp:
      'Google Sites: Wählen Sie Einfügen › Einbetten › Per URL und setzen Sie die Adresse dort ein. Ziehen Sie den Rahmen anschließend auf die gewünschte Höhe.',
    frame: 'Einbettungscode für andere Website-Baukästen',
    frameHelp:
      'Setzen Sie ihn dort ein, wo der Website-Baukasten HTML oder Einbettungscode annimmt, zum Beispiel bei „HTML einbetten“ in Wix.',
  },
  account: {
    link: 'Als Kalenderkonto hinzufügen',
    title: (site: string) => `Kalenderkonto – ${site}`,
    heading: 'Ein Konto für alle Kalender',
    about:
      'Die App zeigt jeden Kalender in seiner eigenen Farbe, zeigt neue automatisch an und sucht öfter nach Änderungen. Die Kalender sind schreibgeschützt.',
    aboutContacts: 'Auch die Kontaktdaten der Mitglieder bleiben aktuell.',
    instead: 'Verwenden Sie das Konto statt eines Abos. Mit beidem erscheint jeder Termin doppelt.',
    apple: {
      name: 'iPhone, iPad und Mac',
      add: 'Profil herunterladen',
      open: 'Öffnen Sie auf dem iPhone oder iPad die Einstellungen und tippen Sie auf „Profil geladen“. Öffnen Sie auf dem Mac die heruntergeladene Datei und dann Systemeinstellungen › Allgemein › Geräteverwaltung.',
      installSigned:
        'Installieren Sie das Profil. Es enthält nur dieses Konto, und das Gerät zeigt, wer es signiert hat.',
      installUnsigned:
        'Installieren Sie das Profil. Das Gerät weist darauf hin, dass es nicht signiert ist. Es enthält nur dieses Konto.',
    },
    android: {
      add: 'In DAVx⁵ öffnen',
      steps: [
        'Installieren Sie DAVx⁵ aus Google Play oder F-Droid.',
        'Kommen Sie hierher zurück und tippen Sie oben auf die Schaltfläche, oder geben Sie die Werte unten ein.',
        'Wählen Sie die gewünschten Kalender aus.',
      ],
    },
    other: {
      name: 'Thunderbird, Evolution und andere',
      steps: [
        'Fügen Sie einen Kalender „im Netzwerk“ oder ein CalDAV-Konto hinzu.',
        'Kopieren Sie diese Werte in die Felder.',
        'Wählen Sie die gewünschten Kalender aus.',
      ],
    },
    server: 'Serveradresse',
    user: 'Benutzername',
    password: 'Passwort',
    isSecret:
      'Wer dieses Passwort hat, kann alles lesen, was dieser Link zeigt. Bitte geben Sie es nicht weiter.',
  },
  members: {
    title: (site) => `Mitglieder – ${site}`,
    heading: 'Mitglieder',
    isPrivate:
      'Diese Seite ist privat: Wer ihre Adresse hat, kann diese Telefonnummern und Adressen lesen. Bitte geben Sie sie nicht weiter.',
    saveEveryone: 'Alle in einem Adressbuch speichern',
    oneByOne:
      'Auf dem Handy fügen Sie die Mitglieder einzeln hinzu: Viele Handybrowser lesen nur die erste Person einer Datei. Am Computer importieren Sie alle auf einmal:',
    addressBook: 'Adressbuch (vCard)',
    spreadsheet: 'Tabelle (CSV)',
    spreadsheetForGoogle: 'Tabelle (CSV), auch für Google Kontakte',
    noUpdates:
      'Ein Adressbuch übernimmt spätere Änderungen nicht. Beim erneuten Importieren können doppelte Einträge entstehen; löschen Sie deshalb zuerst die alten.',
    phones: {
      CELL: ' (mobil)',
      HOME: ' (privat)',
      WORK: ' (Arbeit)',
      FAX: ' (Fax)',
      PAGER: ' (Pager)',
      VOICE: '',
    },
    email: 'E-Mail',
    emailTo: (name) => `an ${name}`,
    addToContacts: 'Zu Kontakten hinzufügen',
    noMembers: 'Auf der Website sind keine Mitglieder eingetragen.',
  },
}
