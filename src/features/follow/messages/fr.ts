import type { FollowPageMessages } from './en.ts'

export const french: FollowPageMessages = {
  titled: (title, site) => `${title} – ${site}`,
  getEmail: 'Recevoir des courriels',
  intro:
    'Recevez par courriel les prochaines activités. Vous n’avez besoin ni d’un compte ni d’une application, et vous pouvez vous désabonner à tout moment.',
  introForLink:
    'Recevez par courriel les prochaines activités de vos calendriers. Vous pouvez vous désabonner à tout moment. Les courriels cesseront aussi lorsque ce lien privé ne fonctionnera plus.',
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
      'Cette adresse de courriel n’est pas valide. Elle doit être de la forme nom@example.org.',
    'too long': 'Une adresse de courriel compte au plus 254 caractères.',
    feeds: 'Choisissez au moins un élément.',
    times: 'Choisissez quand vous voulez recevoir des courriels.',
  },
  isFull: 'Trop de personnes s’abonnent en ce moment. Réessayez plus tard.',
  requested: {
    title: 'Consultez votre boîte de réception',
    text: 'Vous devriez recevoir d’ici quelques minutes un courriel avec un lien de confirmation. Sinon, regardez dans le dossier du courrier indésirable. Le lien fonctionne pendant trois jours.',
    again: 'Utiliser une autre adresse',
  },
  confirm: {
    title: 'Voulez-vous recevoir ces courriels?',
    text: (address) => `Ils seront envoyés à ${address}.`,
    button: 'Oui, je veux les recevoir',
  },
  confirmed: {
    title: 'Abonnement confirmé',
    text: (address) => `Les courriels seront envoyés à ${address}.`,
    manage: 'Modifier ou se désabonner',
  },
  manage: {
    title: 'Vos courriels',
    text: (address) => `Ils sont envoyés à ${address}.`,
    save: 'Enregistrer',
    saved: 'Vos choix sont enregistrés.',
    stored: 'Télécharger vos données',
  },
  end: {
    title: 'Se désabonner?',
    text: (address) => `Plus aucun courriel ne sera envoyé à ${address}.`,
    deletes: 'Votre adresse et vos choix seront supprimés.',
    button: 'Se désabonner',
  },
  ended: {
    title: 'Désabonnement effectué',
    text: 'Votre adresse et vos choix ont été supprimés.',
  },
  unknown: {
    title: 'Ce lien ne fonctionne plus',
    text: 'Il a expiré, ou l’abonnement a pris fin.',
  },
  device: {
    about: 'M’avertir',
    kinds: {
      changes: 'des changements et des nouvelles',
      tomorrow: 'de ce qui est prévu le lendemain, la veille au soir',
      emergency: 'des urgences',
    },
    start: 'Activer les notifications',
    stop: 'Désactiver les notifications',
    turnedOn: 'Les notifications sont activées sur cet appareil.',
    turnedOff: 'Les notifications sont désactivées sur cet appareil.',
    failed: 'Cela n’a pas fonctionné. Veuillez réessayer plus tard.',
    blocked:
      'Votre navigateur bloque les notifications de ce site. Autorisez-les dans ses réglages, puis rechargez cette page.',
    unsupported:
      'Ce navigateur ne peut pas afficher de notifications. Essayez Chrome, Edge, Firefox ou Safari, hors de la navigation privée.',
    homeScreen:
      'Sur iPhone et iPad, les notifications ne fonctionnent qu’à partir de l’écran d’accueil : touchez Partager, choisissez « Sur l’écran d’accueil », ouvrez le site depuis celui-ci, puis revenez à cette page.',
  },
}
