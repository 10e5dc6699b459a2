import { pluralIn } from '../../../../records/messages.ts'
import type { StatusMessages } from './en.ts'

const plural = pluralIn('fr')

export const french: StatusMessages = {
  title: 'État',
  states: {
    starting: 'État\u202f: démarrage en cours',
    good: 'État\u202f: tout va bien',
    bad: 'État\u202f: votre attention est requise',
  },
  sentences: {
    starting: () =>
      'Feedhouse lit le site Web pour la première fois, ce qui peut prendre quelques minutes.',
    ok: () => 'Le contenu a été lu et est à jour.',
  },
  checkAddress: 'Vérifier si les applications peuvent lire le contenu',
  records: {
    title: 'Données du site Web',
    titles: {
      members: 'Membres',
      'members/contacts': 'Coordonnées des membres',
      training: 'Certifications',
    },
    states: {
      held: 'Retenu',
      heldOnRequest: 'Retenu sur demande',
      refused: 'Non autorisé par l’API Project',
      switchedOff: 'Non autorisé par l’API Project\u202f: désactivé',
      failing: 'Lecture impossible',
      waiting: 'En attente',
      good: 'À jour',
    },
    none: 'Aucune entrée',
    count: (count, shown) => plural(count, { one: `${shown} entrée`, other: `${shown} entrées` }),
    read: 'Lecture\u202f:',
    changed: 'Changement\u202f:',
    never: 'jamais',
    isHeld: (count) =>
      plural(count, {
        one: `Le site Web n’a plus que ${count} de ces entrées; la dernière bonne copie reste donc publiée.`,
        other: `Le site Web n’a plus que ${count} de ces entrées; la dernière bonne copie reste donc publiée.`,
      }),
    accept: 'Accepter',
    acceptWhat: (name) => `les données du site Web (${name})`,
    aboutAccepting: (published, count) =>
      `Les entrées publiées (${published}) sont remplacées par celles du site Web (${count}). Faites-le seulement si les entrées manquantes ont vraiment été supprimées du site Web.`,
    acceptRecords: 'Accepter les données du site Web',
    hold: 'Continuer à retenir',
    aboutHolding: (published) =>
      `Les entrées publiées (${published}) le restent jusqu’à leur retour sur le site Web ou jusqu’à ce que vous acceptiez la perte. Faites-le si elles ne devraient pas manquer sur le site Web.`,
    notDecided: {
      'not held': (resource) =>
        `Les données ${resource} ne sont plus retenues; rien n’a été changé.`,
      'changed meanwhile': (resource) =>
        `Les données ${resource} du site Web ont changé depuis que vous avez ouvert cette page; rien n’a été accepté. Vérifiez les nouveaux nombres, puis décidez.`,
      contended: (resource) =>
        `Feedhouse enregistrait les données ${resource} au même moment; rien n’a été changé. Réessayez.`,
    },
  },
  charts: {
    none: 'aucun',
    atMost: (most) => `au plus ${most}`,
    described: (most, unit) => `Au plus ${most} ${unit}. Le tableau donne tous les nombres.`,
    units: {
      changes: 'changements',
      calls: 'appels de l’API',
      readers: 'lecteurs',
      apps: 'applications',
      minutes: 'minutes',
    },
    asTable: 'En tableau',
    day: 'Jour',
    hour: 'Heure',
    number: 'Nombre',
    apps: 'Applications',
    line: (limit) => `Ligne\u202f: ${limit}.`,
    changes: 'Changements d’événements pour chacun des 30 derniers jours',
    calls: 'Appels pour chacune des 24 dernières heures',
    callLimit: (calls) =>
      plural(calls, {
        one: `plus de ${calls} appel par heure, toute la journée, épuiserait la limite quotidienne`,
        other: `plus de ${calls} appels par heure, toute la journée, épuiseraient la limite quotidienne`,
      }),
    publicReaders: 'Lecteurs du contenu public pour chacun des 30 derniers jours',
    readers: 'Applications qui ont lu un lien d’abonnement, pour chacun des 30 derniers jours',
    ages: {
      caption: 'Âge des données pour chacune des 24 dernières heures',
      described: (title, minutes) =>
        `${title}\u202f: au plus ${minutes}. Le tableau donne tous les nombres.`,
      minutes: (count, shown) =>
        plural(count, { one: `${shown} minute`, other: `${shown} minutes` }),
      line: 'la fréquence à laquelle Feedhouse lit les données',
      tableOf: 'âge des données',
      column: 'Minutes',
    },
  },
  calls: {
    title: 'Appels de l’API du site Web',
    minute: (used, max) => `${used} sur ${max} au cours de la dernière minute`,
    day: (used, max) => `${used} sur ${max} au cours des 24 dernières heures`,
    meters: {
      minute: 'Appels au cours de la dernière minute',
      day: 'Appels au cours des 24 dernières heures',
    },
    token: (time) => `Le jeton d’accès est valide jusqu’au ${time} et renouvelé automatiquement.`,
    noToken: 'Le jeton d’accès n’est pas encore disponible.',
    notRenewed: 'La dernière tentative de renouvellement a échoué.',
    refreshToken: 'Le jeton d’actualisation (refresh token) est valide un an.',
    firstUsed: (day) => `Feedhouse l’a utilisé pour la première fois le ${day}.`,
    created: (day) => `Il a été créé le ${day}.`,
    enterDate: 'Indiquer sa date',
    date: 'Jour où le jeton d’actualisation a été créé ou régénéré pour la dernière fois',
    saveDate: 'Enregistrer la date',
    dateFault:
      'Indiquez le jour où le jeton d’actualisation a été créé ou régénéré pour la dernière fois, il y a un an au plus.',
  },
  publicReaders: {
    title: 'Lecteurs du contenu public',
    about:
      'Un lecteur de deux contenus compte deux fois, et les personnes qui ont la même application et la même adresse comptent une fois. Feedly, Inoreader et des services semblables indiquent combien de personnes y lisent un contenu, mais Feedhouse ne peut pas vérifier ces nombres. Feedhouse ne conserve que ces nombres. À minuit (UTC), il oublie qui a lu un contenu.',
    reported: (service) => `${service} (selon ce service)`,
    families: {
      'Android calendar': 'calendrier Android',
      'feed reader': 'lecteur de flux',
      'other calendar': 'autre calendrier',
      screen: 'écran',
      browser: 'navigateur',
      other: 'autres',
    },
  },
  readers: {
    title: 'Lecteurs des liens d’abonnement',
    about: 'Une application qui lit deux liens compte deux fois. Les jours sont en UTC.',
  },
  followers: {
    title: 'Abonnés',
    mail: (count) => `Par courriel\u202f: ${count}`,
    push: (count) => `Par notifications sur un appareil\u202f: ${count}`,
    rejected: (count) => `Refusés par leur serveur de courriel\u202f: ${count}`,
    waiting: (count) => `Messages en attente d’envoi\u202f: ${count}`,
    find: 'Chercher ou supprimer une adresse',
  },
  messages: {
    title: 'Alertes et webhooks',
    none: 'Feedhouse n’envoie aucune alerte. Pour en recevoir, définissez ALERT_MAIL ou ALERT_WEBHOOK.',
    tested: 'Le message d’essai a été envoyé. Les résultats sont ci-dessous.',
    purposes: { alerts: 'alertes', changes: 'changements' },
    states: { failing: 'En échec', working: 'Fonctionne', unused: 'Pas encore utilisé' },
    lastSuccess: 'Dernière réussite\u202f:',
    failed: (time) => `Échec le ${time}\u202f:`,
    test: 'Envoyer un message d’essai',
  },
  address: {
    title: 'Adresse',
    heading: 'Les applications peuvent-elles lire le contenu?',
    about: (url) =>
      `Vérifie le contenu public à l’adresse ${url} comme l’utilisent les téléphones et les services de calendrier.`,
    noFeeds:
      'Aucun contenu public n’est disponible. Ouvrez la page d’un lien d’abonnement et vérifiez-y l’adresse.',
  },
}
