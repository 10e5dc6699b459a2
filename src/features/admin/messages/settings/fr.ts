import { pluralIn } from '../../../../records/messages.ts'
import type { SettingsMessages } from './en.ts'

const plural = pluralIn('fr')

export const french: SettingsMessages = {
  title: 'Paramètres',
  about:
    'Ce que montrent les pages, et le contenu que tout le monde peut lire. Les changements s’appliquent en quelques secondes. Les valeurs en gris sont les valeurs par défaut\u202f: indiquez une valeur pour en remplacer une, ou laissez le champ vide pour la garder.',
  saved: 'Vos changements sont enregistrés et s’appliquent en quelques secondes.',
  fields: {
    name: 'Nom de l’organisation',
    place: 'Ville et État ou province',
    color:
      'Couleur des boutons et des liens\u202f: un nom anglais, comme firebrick, ou six chiffres hexadécimaux, comme b3261e',
    logo: 'URL https du logo, au lieu d’un fichier',
    language: 'Langue du site Web',
    fresh: 'Secondes entre les lectures du site Web, de 60 à 86400',
  },
  default: (value) => `Par défaut\u202f: ${value}`,
  none: 'non défini',
  startedLogo: 'le logo avec lequel Feedhouse a été démarré',
  initials: 'les initiales',
  startedPlaces: (count) =>
    plural(count, {
      one: 'le lieu avec lequel Feedhouse a été démarré',
      other: `les ${count} lieux avec lesquels Feedhouse a été démarré`,
    }),
  chooseColor: 'Choisir une couleur',
  variants: { light: 'Clair', dark: 'Sombre' },
  contrast: (variant, contrast) => `${variant}\u202f: contraste de ${contrast} pour 1`,
  buttons: { light: 'Bouton, clair', dark: 'Bouton, sombre' },
  upload: 'Logo\u202f: une image carrée PNG, JPEG, WebP ou GIF d’au moins 512 pixels de large',
  logoKept: 'Le logo que vous avez choisi est conservé. Enregistrez pour l’utiliser.',
  logo: 'Logo',
  removeLogo: 'Supprimer le logo téléversé',
  publicFeeds: 'Contenu public',
  aboutPublicFeeds:
    'Tout le monde peut lire le contenu public. Le reste exige un lien d’abonnement.',
  onlyThese: 'Seulement ce qui suit\u202f:',
  more: 'Autres paramètres',
  places:
    'Lieux sur la carte\u202f: un par ligne, avec le nom utilisé sur le site Web, l’adresse et la position',
  placeExample: 'Caserne 1 | 12 Main Street, Cedar Hollow, NY 10001 | 42.123456, -74.2',
  databases: 'Publier le contenu de bases de données personnalisées',
  otherInSitesFile:
    'Tous les autres paramètres, comme le site Web, les limites d’appels et le mot de passe de cette page, sont dans le fichier des sites. Ils s’appliquent dès que le fichier est modifié.',
  otherInEnvironment:
    'Tous les autres paramètres, comme le site Web, les limites d’appels et le mot de passe de cette page, sont des variables d’environnement. Ils s’appliquent au redémarrage de Feedhouse.',
  save: 'Enregistrer',
  faults: {
    name: () => 'Le nom doit tenir sur une seule ligne d’au plus 100 caractères.',
    place: () =>
      'Le lieu doit tenir sur une seule ligne d’au plus 60 caractères, comme Cedar Hollow, NY.',
    color: () =>
      'La couleur doit être un code de six chiffres hexadécimaux, comme b3261e, ou un nom anglais, comme firebrick.',
    logo: () => 'Le logo doit être l’URL https d’une image PNG, JPEG, WebP ou GIF.',
    language: () => 'La langue doit être un code, comme en-US, es-PR ou fr-CA.',
    publicFeeds: () => 'Un des contenus publics choisis n’existe pas.',
    fresh: () => 'L’intervalle doit être un nombre entier de 60 à 86400.',
    places: () => 'Il y a trop de lieux, ou leur texte est trop long.',
    invisible: (field) =>
      `Ce champ contient un caractère invisible\u202f: «\u202f${field}\u202f». Tapez le texte au lieu de le coller.`,
    picture:
      'Le logo n’est pas une image utilisable. Choisissez un fichier PNG, JPEG, WebP ou GIF.',
    changed:
      'Une autre personne a modifié les paramètres depuis que vous avez ouvert cette page; rien n’a été enregistré. Vérifiez vos valeurs, puis enregistrez de nouveau pour remplacer les autres changements.',
  },
  placeFaults: {
    line: (line, name, fault) =>
      `Lieux, ligne ${line}${name === undefined ? '' : ` (${name})`}\u202f: ${fault}.`,
    parts: () => 'il faut un nom, une adresse et une position, séparés par |',
    name: () => 'le nom doit tenir sur une ligne de 1 à 200 caractères',
    address: () => 'l’adresse doit tenir sur une ligne de 1 à 500 caractères',
    latitude: () => 'la latitude doit être un nombre de -90 à 90',
    longitude: () => 'la longitude doit être un nombre de -180 à 180',
    duplicate: () => 'le nom figure plus d’une fois',
  },
}
