import type { ComposerMessages } from './en.ts'

export const french: ComposerMessages = {
  feedsUnavailable:
    'Le contenu de cet écran n’est pas disponible pour le moment. Il reviendra automatiquement dès que le site Web le fournira de nouveau.',
  undrawable: {
    inScript: 'Titre impossible à afficher ici ({script})',
    otherwise: 'Titre impossible à afficher ici',
  },
  title: 'Nouvel écran',
  intro:
    'Pour un téléviseur, une tablette ou un lecteur multimédia à la caserne. Choisissez ce qui doit s’afficher, puis ouvrez l’adresse sur l’appareil.',
  show: 'Afficher',
  heading: 'Titre',
  moreOptions: 'Plus d’options',
  dutyAndFilters: 'Garde et filtres',
  duty: 'De garde, selon ces calendriers',
  onlyTheseOf: (feed) => `${feed}\u202f: seulement ce qui suit`,
  preview: 'Aperçu',
  wideScreen: 'Écran horizontal',
  uprightScreen: 'Écran vertical',
  showPreview: 'Afficher l’aperçu',
  previewTitle: 'Aperçu de l’écran',
  address: 'Adresse de l’écran',
  copy: (unseen) => `Copier${unseen(' l’adresse de l’écran')}`,
  privateAddress:
    'Cette adresse est privée\u202f: l’écran affiche tout ce que le lien d’abonnement comprend. Créez un lien par écran pour pouvoir les retirer séparément.',
  qrCode: 'Code QR de l’adresse de l’écran',
  scan: 'Balayez le code avec une tablette ou l’application du lecteur pour y ouvrir l’adresse.',
  openHere: 'Ouvrir l’écran ici',
  pictures: {
    title: 'En image, pour papier électronique et cadres photo',
    epaper: 'Noir et blanc, 800 × 480 pixels',
    frame: 'En couleur, 1280 × 800 pixels',
  },
  noFeed: 'Choisissez au moins un contenu.',
  tooSmall: (inches, distance, { meters, feet }) =>
    `Un écran de ${inches} pouces est trop petit pour être lu à ${distance} mètres. Le texte est aussi grand que possible et reste lisible jusqu’à ${meters} mètres (${feet} pieds). Choisissez un écran plus grand ou une distance plus courte.`,
  inches: (inches) => `${inches} pouces`,
  fields: {
    theme: {
      label: 'Thème',
      choices: { '': 'Sombre', light: 'Clair', auto: 'Selon l’appareil' },
    },
    accent: {
      label: 'Couleur d’accent',
      choices: {
        '': 'La couleur du site',
        b22222: 'Rouge',
        d2691e: 'Orange',
        '2e8b57': 'Vert',
        '4169e1': 'Bleu',
        '6a5acd': 'Violet',
      },
    },
    distance: {
      label: 'Distance de lecture',
      choices: {
        '': '3 mètres (10 pieds)',
        5: '5 mètres (16 pieds)',
        10: '10 mètres (33 pieds)',
      },
    },
    inches: { label: 'Taille de l’écran', choices: {} },
    rotate: { label: 'Secondes par page', choices: {} },
    changes: {
      label: 'Changements des 24 dernières heures',
      choices: { '': 'Non affichés', 1: 'Affichés' },
    },
    lang: {
      label: 'Langue',
      choices: {
        '': 'La langue du site Web',
        'en-US': 'Anglais (États-Unis)',
        'en-GB': 'Anglais (Royaume-Uni)',
        de: 'Allemand',
        es: 'Espagnol',
        fr: 'Français',
      },
    },
    qr: {
      label: 'Code QR pour s’abonner',
      choices: { '': 'Affiché sur les écrans publics', 0: 'Non affiché' },
    },
    motion: {
      label: 'Changement de page',
      choices: { '': 'En fondu', 0: 'Instantané' },
    },
  },
}
