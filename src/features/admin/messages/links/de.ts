import { pluralIn } from '../../../../records/messages.ts'
import type { LinkMessages } from './en.ts'

const plural = pluralIn('de')

export const german: LinkMessages = {
  all: 'Alle Abo-Links',
  title: 'Abo-Links',
  about:
    'Jeder Link öffnet eine private Seite mit Kalendern und Neuigkeiten. Legen Sie für jedes Mitglied, jede Führungskraft und jeden Bildschirm einen eigenen an, damit Sie die Links später einzeln widerrufen können.',
  health: {
    starting: 'Wird gestartet.',
    good: 'Alles in Ordnung.',
    bad: (count) =>
      plural(count, {
        one: 'Bitte kümmern Sie sich darum.',
        other: `Bitte kümmern Sie sich um ${count} Hinweise.`,
      }),
    notes: (count) =>
      plural(count, {
        one: 'Es gibt eine Anmerkung.',
        other: `Es gibt ${count} Anmerkungen.`,
      }),
  },
  list: {
    label: 'Links',
    new: 'Neuer Link',
    poster: 'Plakat',
    posterUse: 'für die öffentlichen Inhalte',
    fromList: 'Links aus einer Liste',
    invite: 'Mitglieder einladen',
    changed: {
      saved: 'Ihre Änderungen sind gespeichert.',
      paused: 'Der Link ist pausiert.',
      resumed: 'Der Link ist wieder freigegeben.',
      revoked: 'Der Link ist widerrufen.',
    },
    unavailable:
      'Die Links lassen sich gerade nicht anzeigen. Bestehende Links funktionieren weiterhin.',
    none: 'Noch keine Links.',
    firstSteps: (settings) =>
      `Legen Sie zuerst unter ${settings('Einstellungen')} den Namen, die Farbe, das Logo und die öffentlichen Inhalte fest. Legen Sie dann einen Link für sich selbst an und öffnen Sie ihn auf dem Handy, um zu sehen, was die Mitglieder sehen werden.`,
    search: 'Suchen',
    sortBy: 'Sortieren nach',
    sorts: {
      newest: 'Neueste zuerst',
      name: 'Name',
      used: 'Zuletzt verwendete zuerst',
      expires: 'Bald ablaufende zuerst',
    },
    show: 'Anzeigen',
    matching: (count, shown) =>
      plural(count, { one: '1 Link passt.', other: `${shown} Links passen.` }),
    showAll: (count) => `Alle ${count} anzeigen`,
    ended: (count) => `Beendete Links (${count})`,
    endedOnPage: (count) => `Beendete Links (${count} auf dieser Seite)`,
    pages: 'Seiten mit Links',
    page: (page, count) => `Seite ${page} von ${count}`,
    previous: 'Vorherige Seite',
    next: 'Nächste Seite',
    lost: 'Adresse verloren? Die Adresse und ihr QR-Code können nicht noch einmal angezeigt werden, weil Feedhouse die Adresse selbst nicht speichert. Erneuern Sie den Link, um eine neue Adresse zu erhalten.',
    for: 'Für',
    shows: 'Inhalt',
    lastReadBy: 'Zuletzt abgerufen von',
    state: 'Zustand',
    late: 'überfällig',
    moreReaders: (count) => `und ${count} weitere`,
    neverUsed: 'Nie verwendet',
    details: 'Details',
    edit: 'Bearbeiten',
    renew: 'Erneuern',
  },
  created: (day) => `Angelegt am ${day}`,
  createdFor: (day, member) => `Angelegt am ${day}, für ${member}`,
  member: (id) => `Mitglied ${id}`,
  profiles: { public: 'Öffentlich', members: 'Mitglieder', full: 'Vollständig' },
  profileTexts: {
    public: 'Alles, was ohne Link zu lesen ist.',
    members:
      'Alles, was Mitglieder sehen dürfen, auch die Ansprechpartner von Veranstaltungen, aber nicht die Namen von Mietern und Angemeldeten.',
    full: 'Alles, auch die Namen von Mietern und Angemeldeten und nicht veröffentlichte Einträge.',
  },
  allFeeds: 'Alle Inhalte',
  states: {
    revoked: 'Widerrufen',
    paused: 'Pausiert',
    expired: 'Abgelaufen',
    old: 'Alte Adresse',
    works: 'Funktioniert',
    since: (day) => `seit ${day}`,
    until: (day) => `bis ${day}`,
  },
  apps: {
    'other calendar': 'Anderer Kalender',
    reader: 'Feedreader',
    screen: 'Bildschirm',
    other: 'Browser oder anderes',
  },
  fields: {
    label: 'Für wen oder wofür der Link ist, z. B. Kommandant Reyes oder Bildschirm im Saal',
    profile: 'Was zu sehen ist',
    feeds: 'Inhalte',
    allFeeds: 'Alle Inhalte, auch künftige',
    allExceptSensitive: 'Alle Inhalte, auch künftige, außer vertraulichen',
    onlyThese: 'Nur diese:',
    sensitive: 'Vertraulich:',
    members: 'Mitglieder: Telefonnummern und Adressen (nur mit „Vollständig“)',
    expires: 'Letzter Tag (leer lassen, wenn der Link nicht ablaufen soll)',
    member:
      'Mitglied der Website, für das der Link ist (optional): Die Seite begrüßt es und zeigt seine eigenen Dienste',
    memberId:
      'ID des Mitglieds der Website, für das der Link ist (optional): Die Seite begrüßt es und zeigt seine eigenen Dienste',
    noMember: 'Kein bestimmtes Mitglied',
    unknownMember: (id) => `Kein aktuelles Mitglied (${id})`,
    loadMembers: 'Mitglieder von der Website laden',
    reloadMembers: 'Mitglieder neu laden',
    create: 'Link anlegen',
    createMany: 'Links anlegen',
    save: 'Speichern',
    cancel: 'Abbrechen',
  },
  faults: {
    id: 'Laden Sie die Verwaltungsseite neu.',
    label: (max) => `Geben Sie mit höchstens ${max} Zeichen an, für wen oder wofür der Link ist.`,
    member:
      'Geben Sie die ID eines Mitglieds der Website ein, z. B. 12, oder lassen Sie das Feld leer.',
    profile: 'Wählen Sie ein Profil aus.',
    feeds: 'Wählen Sie alle Inhalte aus, oder „Nur diese“ und mindestens einen Inhalt.',
    expires: 'Wählen Sie als letzten Tag heute oder einen späteren Tag.',
    overlap: 'Wählen Sie aus, wie lange die alte Adresse noch funktioniert.',
    noMembers: {
      'not allowed':
        'Das API Project darf die Mitglieder nicht lesen. Erlauben Sie das auf der Website, oder geben Sie die ID des Mitglieds ein.',
      'not read yet':
        'Die Mitglieder konnten nicht von der Website gelesen werden. Versuchen Sie es später noch einmal, oder geben Sie die ID des Mitglieds ein.',
    },
    notAdded: {
      'too many':
        'Die Höchstzahl der Abo-Links ist erreicht. Widerrufen Sie Links, die nicht mehr gebraucht werden.',
      'made already':
        'Dieser Link wurde bereits angelegt und seine Adresse einmal angezeigt. Wenn Sie sie verloren haben, widerrufen Sie den Link und legen einen neuen an.',
    },
    listNotAdded: {
      'too many':
        'Damit wäre die Höchstzahl der Abo-Links überschritten, deshalb wurde keiner angelegt. Widerrufen Sie Links, die nicht mehr gebraucht werden, oder kürzen Sie die Liste.',
      'made already':
        'Diese Links wurden bereits angelegt und ihre Adressen einmal angezeigt. Wenn Sie sie verloren haben, widerrufen Sie die Links und legen neue an.',
    },
    notEdited: {
      revoked:
        'Dieser Link wurde inzwischen widerrufen, deshalb wurde nichts gespeichert. Legen Sie einen neuen an.',
      'changed meanwhile':
        'Jemand anderes hat diesen Link geändert, seit Sie die Seite geöffnet haben, deshalb wurde nichts gespeichert. Oben stehen seine aktuellen Eigenschaften, unten Ihre Änderungen. Speichern Sie noch einmal, um die aktuellen Eigenschaften zu ersetzen.',
    },
    notRenewed: {
      revoked:
        'Dieser Link wurde inzwischen widerrufen, deshalb wurde er nicht erneuert. Legen Sie einen neuen an.',
      'changed meanwhile':
        'Dieser Link wurde geändert oder erneuert, seit Sie die Seite geöffnet haben, deshalb wurde er nicht erneuert. Wenn die neue Adresse verloren ist, erneuern Sie den Link noch einmal.',
    },
  },
  memberFaults: {
    'not read':
      'Die Mitglieder wurden noch nicht von der Website gelesen, deshalb enthält my.ics keine persönlichen Termine.',
    'not allowed':
      'Das API Project darf die Mitglieder nicht lesen, deshalb enthält my.ics keine persönlichen Termine. Alles andere bleibt gleich. Bitten Sie jemanden, der die Website verwaltet, im Mitgliederbereich (Members Area) unter Manage > API den Endpoint members zu erlauben.',
    'not listed':
      'Das Mitglied steht nicht in der Mitgliederliste der Website, deshalb enthält my.ics keine persönlichen Termine. Alles andere bleibt gleich. Wenn die Person ausgetreten ist, widerrufen Sie den Link. Sonst wählen Sie ein anderes Mitglied.',
    'incomplete name':
      'Auf der Website fehlt der Vor- oder Nachname des Mitglieds, deshalb kann my.ics seine Anmeldungen nicht anzeigen; Zertifikate sind nicht betroffen. Ergänzen Sie den Namen auf der Website.',
    'shared name':
      'Ein anderes Mitglied hat denselben Vor- und Nachnamen, und Anmeldelisten enthalten keine IDs von Mitgliedern, deshalb zeigt my.ics keine Anmeldungen; Zertifikate sind nicht betroffen. Unterscheiden Sie die Namen auf der Website, zum Beispiel durch einen zweiten Vornamen.',
  },
  membersTexts: {
    fault:
      'Die Mitgliederliste gibt es nur mit dem Profil „Vollständig“. Wählen Sie dieses Profil, oder lassen Sie die Mitglieder weg.',
    warning:
      'Dieser Link enthält die Telefonnummern, E-Mail- und Postadressen aller Mitglieder. Wer seine Adresse hat, kann sie lesen. Geben Sie ihn nur an Personen weiter, die diese Daten haben dürfen.',
  },
  new: {
    title: 'Neuer Abo-Link',
    about:
      'Eine private Seite mit Kalendern und Neuigkeiten, für eine Person oder einen Bildschirm. Nur wer ihre Adresse hat, kann sie öffnen.',
    linkFor: (label) => `Link für ${label}`,
    access: (feeds, profile) =>
      `Kopieren, senden oder drucken Sie ihn jetzt: Er wird nur einmal angezeigt. Mit dem Profil „${profile}“ zeigt er: ${feeds}.`,
    accessUntil: (feeds, profile, day) =>
      `Kopieren, senden oder drucken Sie ihn jetzt: Er wird nur einmal angezeigt. Mit dem Profil „${profile}“ zeigt er bis ${day}: ${feeds}.`,
    allFeeds: 'alle Inhalte',
    replaces: (day) =>
      `Er ersetzt die alte Adresse, die bis ${day} funktioniert. Geben Sie die neue vorher allen, die sie verwenden.`,
    address: 'Adresse',
    copy: 'Kopieren',
    print: 'Karte drucken',
    open: 'Link öffnen',
    setUpScreen: 'Bildschirm einrichten',
  },
  cards: {
    title: 'Karten',
    newLinks: (count) => plural(count, { one: 'Ein neuer Link', other: `${count} neue Links` }),
    about:
      'Drucken oder speichern Sie diese Karten jetzt: Die Adressen werden nur einmal angezeigt. Wählen Sie unten eine Größe für Papier im Format A4 oder Letter.',
    print: 'Karten drucken',
    size: 'Größe',
    business: 'Visitenkarten, acht pro Blatt',
    postcards: 'Postkarten (A6), vier pro Blatt',
  },
  edit: {
    id: (id) => `ID ${id}`,
    isRevoked: 'Ein widerrufener Link lässt sich nicht ändern. Legen Sie einen neuen an.',
    properties: 'Eigenschaften',
    about:
      'Änderungen werden innerhalb von Sekunden wirksam. Die Adresse bleibt gleich, bestehende Abos übernehmen die Änderungen also.',
    apps: 'Apps, die ihn verwenden',
    chart: 'Apps an jedem der letzten 30 Tage',
    lastUsed: (time, app) => `Zuletzt verwendet: ${time} (${app}).`,
    unused: 'Bisher hat keine App diesen Link abgerufen.',
    address: 'Adresse und QR-Code',
    aboutAddress:
      'Die Adresse und ihr QR-Code können nicht noch einmal angezeigt werden, weil Feedhouse die Adresse selbst nicht speichert. So verschafft eine gestohlene Kopie der Daten keinen Zugang. Um eine neue Adresse mit denselben Eigenschaften zu erhalten, erneuern Sie den Link.',
    overlap: 'Die alte Adresse funktioniert noch',
    days: (count) => plural(count, { one: '1 Tag', other: `${count} Tage` }),
    lastDay: 'Letzter Tag der neuen Adresse (optional)',
    renew: 'Link erneuern',
    resume: {
      title: 'Freigeben',
      about: 'Alle, die diesen Link verwenden, sehen seine Inhalte wieder.',
      button: 'Link freigeben',
    },
    pause: {
      title: 'Pausieren',
      about:
        'Bis Sie den Link freigeben, sehen alle, die ihn verwenden, nur einen Hinweis. Ihre Abos behalten sie.',
      button: 'Link pausieren',
    },
    revoke: {
      title: 'Widerrufen',
      summary: 'Link widerrufen',
      about:
        'Der Link funktioniert nach wenigen Sekunden nicht mehr. Das lässt sich nicht rückgängig machen. 14 Tage lang sehen seine Abonnenten einen Hinweis.',
      button: 'Jetzt widerrufen',
    },
  },
  import: {
    title: 'Neue Abo-Links',
    heading: 'Neue Abo-Links aus einer Liste',
    about:
      'Legt für jede Zeile einen Link an und zeigt einen Bogen mit Karten zum Drucken. Die Adressen werden nur einmal angezeigt.',
    moreProblems: (count) =>
      plural(count, {
        one: 'Die Liste hat 1 weiteren Fehler.',
        other: `Die Liste hat ${count} weitere Fehler.`,
      }),
    noneCreated: 'Es wurden keine Links angelegt.',
    names: (max, columns) =>
      `Namen, einer pro Zeile, höchstens ${max}. Die anderen Spalten sind optional: ${columns}`,
    example: (columns) =>
      `${columns}\nKommandant Reyes,full\nBildschirm im Saal,members,calendar rental,2027-06-30`,
    file: 'Oder eine CSV-Datei, die die Namen oben ersetzt',
    defaults:
      'Diese Werte gelten für Zeilen, in denen die Spalte leer ist. Tragen Sie in der Spalte „member“ eine ID ein, oder einen Namen, sobald die Mitglieder geladen sind.',
    defaultsWithMembers:
      'Diese Werte gelten für Zeilen, in denen die Spalte leer ist. Tragen Sie in der Spalte „member“ eine ID oder einen Namen ein.',
    faults: {
      row: (row, fault) => `Zeile ${row}: ${fault}`,
      encoding:
        'Die Datei ist nicht in UTF-8, deshalb sind manche Buchstaben nicht lesbar. Speichern Sie sie in Excel als „CSV UTF-8“.',
      empty: 'Geben Sie eine Liste mit Namen ein oder wählen Sie eine aus.',
      onlyHeader: 'Die Liste hat unter ihrer Kopfzeile keine Namen.',
      tooMany: (rows, max) =>
        `Die Liste hat ${rows} Zeilen, höchstens ${max} sind möglich. Teilen Sie sie in mehrere Listen auf.`,
      repeatedName: (name, row) =>
        `Der Name „${name}“ steht auch in Zeile ${row}. Ergänzen Sie etwas, das die beiden Links unterscheidet.`,
      semicolons: 'Trennen Sie die Spalten durch Kommas statt durch Semikolons.',
      unknownColumn: (column, columns) =>
        `Die Spalte „${column}“ ist unbekannt. Die Spalten sind ${columns}.`,
      repeatedColumn: (column, columns) =>
        `Die Spalte „${column}“ kommt zweimal vor. Die Spalten sind ${columns}.`,
      tooManyCells: (max) =>
        `Es gibt mehr als ${max} Zellen. Eine Zelle, die ein Komma enthält, muss in Anführungszeichen stehen.`,
      name: (max) => `Geben Sie einen Namen mit höchstens ${max} Zeichen ein.`,
      profile: (text, [members, full]) =>
        `Das Profil „${text}“ ist unbekannt. Verwenden Sie ${members} oder ${full}. Eine Zelle, die ein Komma enthält, muss in Anführungszeichen stehen.`,
      feed: (id, known) => `„${id}“ ist unbekannt. Verwenden Sie all oder einige von ${known}.`,
      expires: (text) =>
        `„${text}“ kann nicht der letzte Tag sein. Verwenden Sie heute oder einen späteren Tag, z. B. 2027-06-30, oder never.`,
      memberId: (text) =>
        `„${text}“ ist keine ID eines Mitglieds. Laden Sie die Mitglieder, um ihre Namen zu verwenden.`,
      noMember: (text) => `Die Website hat kein Mitglied „${text}“.`,
      severalMembers: (text, ids) =>
        `Mehrere Mitglieder heißen „${text}“. Verwenden Sie eine ihrer IDs: ${ids}.`,
      textAfterQuote:
        'Nach einem Anführungszeichen steht Text. Verdoppeln Sie jedes Anführungszeichen in einer Zelle.',
      unclosedQuote: 'Das schließende Anführungszeichen einer Zelle fehlt.',
    },
  },
}
