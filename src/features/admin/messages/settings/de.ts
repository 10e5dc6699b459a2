import { pluralIn } from '../../../../records/messages.ts'
import type { SettingsMessages } from './en.ts'

const plural = pluralIn('de')

export const german: SettingsMessages = {
  title: 'Einstellungen',
  about:
    'Was auf den Seiten zu sehen ist und welche Inhalte alle lesen können. Änderungen werden innerhalb von Sekunden wirksam. Grau dargestellte Werte sind die Vorgaben: Geben Sie einen Wert ein, um eine Vorgabe zu ersetzen, oder lassen Sie das Feld leer, um sie zu behalten.',
  saved: 'Ihre Änderungen sind gespeichert und werden innerhalb von Sekunden wirksam.',
  fields: {
    name: 'Name der Organisation',
    place: 'Ort und Bundesland',
    color:
      'Farbe der Schaltflächen und Links: ein englischer Name wie firebrick oder sechs Hexadezimalziffern wie b3261e',
    logo: 'https-URL des Logos, statt eine Datei hochzuladen',
    language: 'Sprache der Website',
    fresh: 'Sekunden zwischen zwei Abrufen der Website, 60 bis 86400',
  },
  default: (value) => `Vorgabe: ${value}`,
  none: 'nicht festgelegt',
  startedLogo: 'das Logo, mit dem Feedhouse gestartet wurde',
  initials: 'Initialen',
  startedPlaces: (count) =>
    plural(count, {
      one: 'der Ort, mit dem Feedhouse gestartet wurde',
      other: `die ${count} Orte, mit denen Feedhouse gestartet wurde`,
    }),
  chooseColor: 'Farbe auswählen',
  variants: { light: 'Hell', dark: 'Dunkel' },
  contrast: (variant, contrast) => `${variant}: Kontrast ${contrast} zu 1`,
  buttons: { light: 'Schaltfläche, hell', dark: 'Schaltfläche, dunkel' },
  upload: 'Logo: ein quadratisches PNG-, JPEG-, WebP- oder GIF-Bild, mindestens 512 Pixel breit',
  logoKept: 'Das ausgewählte Logo bleibt erhalten. Speichern Sie, um es zu verwenden.',
  logo: 'Logo',
  removeLogo: 'Das hochgeladene Logo entfernen',
  publicFeeds: 'Öffentliche Inhalte',
  aboutPublicFeeds:
    'Öffentliche Inhalte kann jeder lesen. Für alle anderen ist ein Abo-Link nötig.',
  onlyThese: 'Nur diese:',
  more: 'Weitere Einstellungen',
  places:
    'Orte auf der Karte: einer pro Zeile, mit dem Namen wie auf der Website, der Adresse und der Position',
  placeExample: 'Feuerwehrhaus 1 | 12 Main Street, Cedar Hollow, NY 10001 | 42.123456, -74.2',
  databases: 'Eigene Datenbanken veröffentlichen',
  otherInSitesFile:
    'Alle anderen Einstellungen, wie die Website, die Grenzen für Aufrufe und das Passwort dieser Seite, stehen in der Datei mit den Websites. Sie gelten, sobald die Datei geändert wird.',
  otherInEnvironment:
    'Alle anderen Einstellungen, wie die Website, die Grenzen für Aufrufe und das Passwort dieser Seite, sind Umgebungsvariablen. Sie gelten nach einem Neustart von Feedhouse.',
  save: 'Speichern',
  faults: {
    name: () => 'Der Name muss eine einzige Zeile mit höchstens 100 Zeichen sein.',
    place: () =>
      'Der Ort muss eine einzige Zeile mit höchstens 60 Zeichen sein, wie Cedar Hollow, NY.',
    color: () =>
      'Die Farbe muss aus sechs Hexadezimalziffern wie b3261e bestehen oder ein englischer Name wie firebrick sein.',
    logo: () => 'Das Logo muss die https-URL eines PNG-, JPEG-, WebP- oder GIF-Bildes sein.',
    language: () => 'Die Sprache muss ein Kürzel wie en-US, es-PR oder fr-CA sein.',
    publicFeeds: () => 'Einen der ausgewählten öffentlichen Inhalte gibt es nicht.',
    fresh: () => 'Der Abstand muss eine ganze Zahl von 60 bis 86400 sein.',
    places: () => 'Es sind zu viele Orte, oder ihr Text ist zu lang.',
    invisible: (field) =>
      `Dieses Feld enthält ein unsichtbares Zeichen: „${field}“. Tippen Sie den Text, statt ihn einzufügen.`,
    picture:
      'Das Logo ist kein verwendbares Bild. Wählen Sie eine PNG-, JPEG-, WebP- oder GIF-Datei.',
    changed:
      'Jemand anderes hat die Einstellungen geändert, seit Sie die Seite geöffnet haben, deshalb wurde nichts gespeichert. Prüfen Sie Ihre Werte und speichern Sie noch einmal, um die anderen Änderungen zu ersetzen.',
  },
  placeFaults: {
    line: (line, name, fault) =>
      `Orte, Zeile ${line}${name === undefined ? '' : ` (${name})`}: ${fault}.`,
    parts: () => 'nötig sind ein Name, eine Adresse und eine Position, getrennt durch |',
    name: () => 'der Name muss eine Zeile mit 1 bis 200 Zeichen sein',
    address: () => 'die Adresse muss eine Zeile mit 1 bis 500 Zeichen sein',
    latitude: () => 'die Breite muss eine Zahl von -90 bis 90 sein',
    longitude: () => 'die Länge muss eine Zahl von -180 bis 180 sein',
    duplicate: () => 'der Name kommt doppelt vor',
  },
}
