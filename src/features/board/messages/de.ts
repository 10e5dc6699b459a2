import type { ComposerMessages } from './en.ts'

export const german: ComposerMessages = {
  feedsUnavailable:
    'Die Inhalte dieser Anzeige sind zurzeit nicht verfügbar. Sie erscheinen automatisch wieder, sobald die Website sie bereitstellt.',
  undrawable: {
    inScript: 'Titel, der hier nicht darstellbar ist ({script})',
    otherwise: 'Titel, der hier nicht darstellbar ist',
  },
  title: 'Neuer Bildschirm',
  intro:
    'Für einen Fernseher, ein Tablet oder einen Player im Feuerwehrhaus. Wählen Sie aus, was angezeigt werden soll, und öffnen Sie die Adresse dann auf dem Gerät.',
  show: 'Inhalt',
  heading: 'Überschrift',
  moreOptions: 'Weitere Optionen',
  dutyAndFilters: 'Dienst und Filter',
  duty: 'Wer Dienst hat, laut diesen Kalendern',
  onlyTheseOf: (feed) => `${feed}: nur diese`,
  preview: 'Vorschau',
  wideScreen: 'Querformat',
  uprightScreen: 'Hochformat',
  showPreview: 'Vorschau anzeigen',
  previewTitle: 'Vorschau des Bildschirms',
  address: 'Adresse für den Bildschirm',
  copy: (unseen) => `Kopieren${unseen(': Adresse für den Bildschirm')}`,
  privateAddress:
    'Diese Adresse ist privat: Der Bildschirm zeigt, was der Abo-Link enthält. Legen Sie für jeden Bildschirm einen eigenen Link an, damit Sie die Links einzeln widerrufen können.',
  qrCode: 'QR-Code der Adresse für den Bildschirm',
  scan: 'Scannen Sie den Code mit einem Tablet oder der App eines Players, um die Adresse dort zu öffnen.',
  openHere: 'Bildschirm hier öffnen',
  pictures: {
    title: 'Als Bild, für E-Paper und Bilderrahmen',
    epaper: 'Schwarzweiß, 800 × 480 Pixel',
    frame: 'In Farbe, 1280 × 800 Pixel',
  },
  noFeed: 'Wählen Sie mindestens einen Inhalt aus.',
  tooSmall: (inches, distance, { meters }) =>
    `Ein Bildschirm mit ${inches} Zoll ist zu klein, um aus ${distance} Metern Entfernung gelesen zu werden. Der Text ist so groß wie möglich und aus höchstens ${meters} Metern lesbar. Wählen Sie einen größeren Bildschirm oder eine kürzere Entfernung.`,
  inches: (inches) => `${inches} Zoll`,
  fields: {
    theme: {
      label: 'Farbschema',
      choices: { '': 'Dunkel', light: 'Hell', auto: 'Wie auf dem Gerät' },
    },
    accent: {
      label: 'Akzentfarbe',
      choices: {
        '': 'Farbe der Website',
        b22222: 'Rot',
        d2691e: 'Orange',
        '2e8b57': 'Grün',
        '4169e1': 'Blau',
        '6a5acd': 'Violett',
      },
    },
    distance: {
      label: 'Lesbar aus',
      choices: { '': '3 Metern', 5: '5 Metern', 10: '10 Metern' },
    },
    inches: { label: 'Größe des Bildschirms', choices: {} },
    rotate: { label: 'Sekunden pro Seite', choices: {} },
    changes: {
      label: 'Änderungen der letzten 24 Stunden',
      choices: { '': 'Nicht anzeigen', 1: 'Anzeigen' },
    },
    lang: {
      label: 'Sprache',
      choices: {
        '': 'Sprache der Website',
        'en-US': 'Englisch (USA)',
        'en-GB': 'Englisch (Großbritannien)',
        de: 'Deutsch',
        es: 'Spanisch',
        fr: 'Französisch',
      },
    },
    qr: {
      label: 'QR-Code zum Abonnieren',
      choices: { '': 'Auf öffentlichen Anzeigen', 0: 'Nicht anzeigen' },
    },
    motion: {
      label: 'Seitenwechsel',
      choices: { '': 'Überblenden', 0: 'Sofort' },
    },
  },
}
