import type { FollowPageMessages } from './en.ts'

export const french: FollowPageMessages = {
  titled: (title, site) => `${title} – ${site}`,
  getEmail: 'Recevoir des courriels',
  intro:
    'L’essentiel à venir, dans votre boîte de réception. Sans compte ni application, et vous pouvez arrêter à tout moment.',
  introForLink:
    'L’essentiel à venir dans vos calendriers, dans votre boîte de réception. Les courriels prennent fin avec ce lien privé, et vous pouvez les arrêter à tout moment.',
  address: 'Votre adresse de courriel',
  afterwards:
    'Vous recevrez d’abord un courriel avec un lien de confirmation. Votre adresse ne sert qu’à ces courriels.',
  feeds: 'Contenu',
  times: 'Quand',
  kinds: {
    weekly: 'Chaque semaine',
    changes: 'Quand quelque chose change',
    tomorrow: 'La veille de chaque activité',
    emergency: 'En cas d’urgence',
  },
  day: 'Jour',
  hour: 'Heure',
  choice: {
    weekly: (day, clock) => `Un courriel chaque semaine, le ${day} à ${clock}`,
    changes: 'Un courriel en cas de changement ou de nouvelle',
    tomorrow: 'Un courriel la veille de chaque activité',
    emergency: 'Un courriel en cas d’urgence',
    feeds: (titles) => `Seulement\u202f: ${titles}`,
    ownOnly: 'Seulement sur vos propres activités',
  },
  ownIsIncluded: 'Vos propres activités sont toujours incluses.',
  faults: {
    missing: 'Saisissez votre adresse de courriel.',
    invalid:
      'Cette adresse de courriel est incomplète. Elle doit être de la forme nom@example.org.',
    'too long': 'Une adresse de courriel compte au plus 254 caractères.',
    feeds: 'Choisissez au moins un élément.',
    times: 'Choisissez quand vous voulez recevoir des courriels.',
  },
  isFull: 'Trop de personnes se sont inscrites aux courriels. Réessayez dans quelques jours.',
  requested: {
    title: 'Consultez votre boîte de réception',
    text: 'Vous devriez recevoir d’ici quelques minutes un courriel avec un lien de confirmation. Sinon, regardez dans le dossier du courrier indésirable. Le lien fonctionne pendant trois jours.',
    again: 'Utiliser une autre adresse',
  },
  confirm: {
    title: 'Voulez-vous recevoir ces courriels ?',
    text: (address) => `Ils seront envoyés à ${address}.`,
    button: 'Oui, je veux les recevoir',
  },
  confirmed: {
    title: 'Vous recevrez des courriels',
    text: (address) => `Ils seront envoyés à ${address}.`,
    manage: 'Modifier ou arrêter',
  },
  manage: {
    title: 'Vos courriels',
    text: (address) => `Ils sont envoyés à ${address}.`,
    save: 'Enregistrer',
    saved: 'Vos choix sont enregistrés.',
    stored: 'Télécharger ce qui est conservé à votre sujet',
  },
  end: {
    title: 'Arrêter les courriels ?',
    text: (address) => `Plus aucun courriel ne sera envoyé à ${address}.`,
    deletes: 'Votre adresse et vos choix seront supprimés.',
    button: 'Arrêter les courriels',
  },
  ended: {
    title: 'Les courriels sont arrêtés',
    text: 'Votre adresse et vos choix ont été supprimés.',
  },
  unknown: {
    title: 'Ce lien ne fonctionne plus',
    text: 'Il a expiré, ou les courriels ont été arrêtés.',
  },
  device: {
    title: 'M’avertir sur cet appareil',
    about: 'M’avertir',
    kinds: {
      changes: 'des changements et des nouvelles',
      tomorrow: 'de ce qui est prévu le lendemain, la veille au soir',
      emergency: 'des urgences',
    },
    start: 'Activer les notifications',
    stop: 'Arrêter les notifications',
    turnedOn: 'Les notifications sont activées sur cet appareil.',
    turnedOff: 'Les notifications sont désactivées sur cet appareil.',
    failed: 'Cela n’a pas fonctionné. Veuillez réessayer plus tard.',
    blocked:
      'Votre navigateur bloque les notifications de ce site. Autorisez-les dans ses réglages, puis rechargez cette page.',
    unsupported:
      'Ce navigateur ne peut pas afficher de notifications. Essayez Chrome, Edge, Firefox ou Safari, et pas en navigation privée.',
    homeScreen:
      'Sur iPhone et iPad, les notifications ne fonctionnent qu’à partir de l’écran d’accueil : touchez Partager, choisissez « Sur l’écran d’accueil », ouvrez le site depuis celui-ci, puis revenez à cette page.',
  },
}
