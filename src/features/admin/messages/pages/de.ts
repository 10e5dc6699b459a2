import { listIn, pluralIn } from '../../../../records/messages.ts'
import type { PagesMessages } from './en.ts'

const plural = pluralIn('de')
const list = listIn('de')

export const german: PagesMessages = {
  screens: {
    title: 'Bildschirme',
    emergency: 'Notfalltext',
    about:
      'Er endet automatisch zur gewählten Zeit, auch auf Bildschirmen, die dann keine Verbindung haben.',
    done: {
      shown: 'Der Text erscheint innerhalb einer Minute.',
      tested: (minutes) =>
        `Der Test erscheint innerhalb einer Minute und endet nach ${minutes} Minuten.`,
      kept: 'Der Test ist beendet. Dieser Text wurde inzwischen angezeigt und nicht entfernt.',
      cleared: 'Der Text verschwindet innerhalb einer Minute.',
    },
    publicScreens: 'Bildschirmen mit öffentlichen Inhalten',
    testedOn: (screen) => `Test auf ${screen}:`,
    shownOn: (places) => `Zu sehen (${list(places)}):`,
    textUntil: (title, end) => `„${title}“ bis ${end}.`,
    clear: 'Notfalltext entfernen',
    clearTest: 'Test beenden',
    fields: {
      title: 'Titel',
      text: 'Text',
      until: (timeZone) => `Bis, in der Zeitzone der Website (${timeZone})`,
    },
    preview: 'Vorschau eines Bildschirms',
    where: 'Wo',
    places: { screens: 'Bildschirme', devices: 'Handys und E-Mail', pages: 'Seiten' },
    aboutPlaces: {
      screens: 'Ersetzt innerhalb einer Minute alles auf jedem Bildschirm.',
      pages:
        'Oben auf allen Seiten, in den nächsten E-Mails und, innerhalb von fünf Minuten, in eingebetteten Listen.',
    },
    devices: (count, shown) => plural(count, { one: `${shown} Gerät`, other: `${shown} Geräte` }),
    followers: (count, shown) =>
      plural(count, { one: `${shown} Abonnenten`, other: `${shown} Abonnenten` }),
    reached: (devices, followers) =>
      `Eine Mitteilung an ${devices} und eine E-Mail an ${followers} von Notfallmeldungen. Sie lassen sich nicht zurückholen.`,
    reachedAgain: (devices, followers) =>
      `Eine Mitteilung an ${devices} und eine E-Mail an ${followers} von Notfallmeldungen, und noch einmal, wenn Sie den Text ersetzen. Sie lassen sich nicht zurückholen.`,
    show: 'Notfalltext anzeigen',
    replace: 'Notfalltext ersetzen',
    test: 'Test',
    onlyOn: 'Nur auf',
    allPublicScreens: 'Bildschirme mit öffentlichen Inhalten',
    startTest: (minutes) => `${minutes} Minuten lang testen`,
    new: {
      title: 'Neuer Bildschirm',
      about:
        'Ein Bildschirm ist ein beliebiger Browser im Feuerwehrhaus, zum Beispiel auf einem Fernseher, einem Tablet oder einem Player. Er zeigt die Termine von heute und den nächsten Tagen sowie die Neuigkeiten.',
      public: 'Mit öffentlichen Inhalten',
      private: 'Mit privaten Inhalten: Link anlegen',
      later: (path) =>
        `Wählen Sie nach dem Anlegen des Links „Bildschirm einrichten“. Später öffnen Sie die Adresse des Links mit ${path} am Ende.`,
    },
    faults: {
      noTitle: 'Geben Sie einen Titel ein.',
      titleTooLong: (max) => `Der Titel darf höchstens ${max} Zeichen haben.`,
      textTooLong: (max) => `Der Text darf höchstens ${max} Zeichen haben.`,
      noEnd: 'Geben Sie ein, an welchem Tag und um welche Uhrzeit der Text endet.',
      past: 'Das Ende muss in der Zukunft liegen.',
      tooLate: (days) => `Das Ende muss innerhalb von ${days} Tagen liegen.`,
      nowhere: 'Wählen Sie aus, wo der Text angezeigt wird.',
      notCleared: 'Entfernen Sie den Notfalltext, bevor Sie testen.',
    },
  },
  preview: {
    title: 'Vorschau',
    heading: (profile) => `Vorschau: ${profile}`,
    profiles: 'Profile',
    highlighted: 'Hervorgehoben',
    notPublic: (profile) =>
      `was Links mit dem Profil ${profile} zeigen und die Öffentlichkeit nicht sieht.`,
    notWith: (profile, lower) =>
      `was Links mit dem Profil ${profile} zeigen, Links mit ${lower} aber nicht.`,
    tags: {
      notPublic: 'nicht öffentlich',
      notWith: (profile) => `nicht mit ${profile}`,
    },
    unavailable:
      'Nicht verfügbar: Noch kein Link verwendet diesen Inhalt, oder Feedhouse hat die Website noch nicht gelesen.',
    nothing: 'Zurzeit gibt es nichts anzuzeigen.',
    noFeeds: 'Es sind keine Inhalte öffentlich.',
  },
  followers: {
    title: 'Abonnenten',
    heading: 'Abonnenten per E-Mail',
    about:
      'Zeigen oder löschen Sie, was über eine E-Mail-Adresse gespeichert ist, zum Beispiel auf Wunsch der Person. Nach dem Löschen erhält sie auch keine E-Mails mehr.',
    deleted: 'Alle Daten zu dieser Adresse wurden gelöscht.',
    address: 'E-Mail-Adresse',
    find: 'Suchen',
    nothing: 'Zu dieser Adresse ist nichts gespeichert.',
    stored: 'Gespeicherte Daten zu dieser Adresse',
    delete: 'Alle Daten löschen',
    unreadable: {
      title: 'Abonnenten mit unlesbaren Adressen',
      about: (count, shown) =>
        plural(count, {
          one: '1 Person oder Gerät erhält keine Nachrichten, weil die Adresse mit einem anderen Schlüssel (MAIL_KEY oder mail.key) verschlüsselt wurde. Verwenden Sie den Schlüssel aus der Zeit der Anmeldung. Ist er verloren, löschen Sie den Eintrag und bitten Sie um eine neue Anmeldung.',
          other: `${shown} Personen oder Geräte erhalten keine Nachrichten, weil ihre Adressen mit einem anderen Schlüssel (MAIL_KEY oder mail.key) verschlüsselt wurden. Verwenden Sie den Schlüssel aus der Zeit der Anmeldung. Ist er verloren, löschen Sie die Einträge und bitten Sie um eine neue Anmeldung.`,
        }),
      delete: 'Diese Abonnenten löschen',
      deleted: 'Die Abonnenten mit unlesbaren Adressen wurden gelöscht.',
    },
  },
  invitations: {
    title: 'Einladungen',
    heading: 'Mitglieder per E-Mail einladen',
    about:
      'Legt für jedes Mitglied einen Link mit allen Inhalten an und sendet ihn an die Adresse aus der Mitgliederliste. Mitglieder, die schon einen Link haben, werden nicht noch einmal eingeladen. Wenn eine E-Mail nicht zugestellt wurde, korrigieren Sie die Adresse auf der Website, widerrufen Sie den Link und laden Sie das Mitglied noch einmal ein.',
    load: 'Mitglieder von der Website laden',
    reload: 'Mitglieder neu laden',
    language: 'Sprache der E-Mails',
    notInvited: (count) => `Nicht eingeladen (${count})`,
    send: 'Einladungen senden',
    allLinked: 'Alle Mitglieder haben einen Link.',
    linked: (count) => `Mitglieder mit einem Link (${count})`,
    columns: { member: 'Mitglied', email: 'E-Mail', opened: 'Geöffnet' },
    states: {
      linked: 'Hat einen Link',
      waiting: 'E-Mail ausstehend',
      sent: 'E-Mail gesendet',
      bounced: 'E-Mail nicht zugestellt',
    },
    lastOpened: 'Zuletzt geöffnet:',
    neverOpened: 'Nie geöffnet',
    invited: (count) =>
      `${plural(count, { one: '1 Mitglied', other: `${count} Mitglieder` })} eingeladen. Die E-Mails werden nacheinander gesendet.`,
    skipped: (count) =>
      `${plural(count, { one: '1 Mitglied', other: `${count} Mitglieder` })} übersprungen, weil eine verwendbare E-Mail-Adresse fehlt oder es schon einen Link gibt.`,
    member: (id) => `Mitglied ${id}`,
    faults: {
      notRead:
        'Die Mitglieder konnten nicht von der Website gelesen werden. Versuchen Sie es später noch einmal.',
      noneChosen: 'Wählen Sie aus, wen Sie einladen möchten.',
      tooManyFollowers: 'Es wurden keine Mitglieder eingeladen, weil es zu viele Abonnenten gibt.',
      'too many':
        'Die Höchstzahl der Abo-Links ist erreicht, deshalb wurden keine Mitglieder eingeladen.',
      'made already':
        'Zur selben Zeit wurden andere Links angelegt. Prüfen Sie die Liste, und versuchen Sie es noch einmal.',
      stopped: (count, wanted) =>
        `Nur ${count} von ${wanted} Mitgliedern wurden eingeladen, weil es zu viele Abonnenten gibt.`,
    },
  },
  databases: {
    title: 'Datenbanken',
    heading: 'Eigene Datenbanken',
    about:
      'Sie können aus einer eigenen Datenbank der Website einen Kalender und einen Feed machen, für Personen, deren Link sie enthält. Wählen Sie eine Datenbank und die Felder aus, die zu sehen sein sollen, und speichern Sie dann.',
    saved:
      'Ihre Änderungen sind gespeichert und werden innerhalb von Sekunden wirksam. Abo-Links zeigen den Feed nur, wenn sie ihn enthalten.',
    none: 'Die Website hat keine eigenen Datenbanken.',
    untitled: (id) => `Datenbank ${id}`,
    isFeed: (feed) => `ist der Feed ${feed}`,
    recordTitle: 'Titel jedes Eintrags, mit Feldern in geschweiften Klammern',
    fieldNames: 'Felder:',
    date: 'Datum jedes Eintrags',
    noDate: 'Keins (nur Feed)',
    below: 'Unter dem Titel',
    choices: {
      none: 'Nicht anzeigen',
      all: 'Für alle mit passendem Link',
      full: 'Nur mit dem Profil „Vollständig“',
    },
    id: 'Name des Feeds in Adressen (a bis z und 0 bis 9)',
    name: 'Titel des Feeds',
    showPreview: 'Vorschau anzeigen',
    preview: 'Vorschau',
    allArchived: 'Alle Einträge dieser Datenbank sind archiviert.',
    untitledRecord: 'Ohne Titel',
    save: 'Speichern',
    thenLink: (feed) => `Legen Sie dann einen Abo-Link an, der den Feed ${feed} enthält.`,
    asSetting: 'Als Einstellung',
    forSitesFile: 'Für die Einstellungen dieser Website in der Datei mit den Websites:',
    forEnvironment: 'Für .env, anstelle eines anderen DATABASE_FEEDS:',
    copy: 'Kopieren',
    theSetting: 'die Einstellung',
    remove: 'Diesen Feed entfernen',
    faults: {
      damaged:
        'Die Einstellungen dieser Seite sind nicht lesbar, deshalb ist kein Inhalt öffentlich. Speichern Sie sie zuerst unter „Einstellungen“.',
      notWritable:
        'Titel und Namen dürfen keine Anführungszeichen, #, $, umgekehrten Schrägstriche, Semikolons oder ein Wort enthalten, dem direkt ein Doppelpunkt und Text folgen.',
    },
  },
}
