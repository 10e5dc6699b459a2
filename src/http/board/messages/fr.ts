import type { ComposerMessages } from './en.ts'

export const french: ComposerMessages = {
  feedsUnavailable:
    'Le contenu de cet écran n’est pas disponible pour le moment. Il reviendra automatiquement dès que le site Web le fournira de nouveau.',
  title: 'Nouvel écran',
  intro:
    'Pour un téléviseur, une tablette ou un lecteur à la caserne. Choisissez ce qu’il affiche, puis ouvrez-y son adresse.',
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
  address: 'Adresse pour l’écran',
  copy: (unseen) => `Copier${unseen(' l’adresse pour l’écran')}`,
  privateAddress:
    'Cette adresse est privée\u202f: l’écran affiche ce que le lien d’abonnement contient. Créez un lien pour chaque écran, afin de pouvoir les retirer séparément.',
  qrCode: 'Code QR de l’adresse pour l’écran',
  scan: 'Balayez le code avec une tablette ou l’application d’un lecteur pour y ouvrir l’adresse.',
  openHere: 'Ouvrir l’écran ici',
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
      label: 'Lisible à',
      choices: {
        '': '3 mètres (10 pieds)',
        5: '5 mètres (16 pieds)',
        10: '10 mètres (33 pieds)',
      },
    },
    inches: { label: 'Taille de l’écran', choices: {} },
    rotate: { label: 'Secondes par page', choices: {} },
    changes: {
      label: 'Changements des dernières 24 heures',
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
      label: 'Pages',
      choices: { '': 'Changent en fondu', 0: 'Changent instantanément' },
    },
  },
}
