import { pluralIn } from '../../../records/messages.ts'
import type { BrowsingMessages } from './en.ts'

const plural = pluralIn('fr')

export const french: BrowsingMessages = {
  site: {
    mainNavigation: 'Navigation principale',
    privatePage: 'Page privée',
    homeOf: (name) => `Calendriers et nouvelles\u202f: ${name}`,
    calendarFormat: 'calendrier',
    followCalendars: 'Suivre ces calendriers',
  },
  entries: {
    filters: 'Afficher et masquer',
    all: 'Tout',
    onlyMine: 'Seulement les miens',
    isShown: ' (affiché)',
    isHidden: ' (masqué)',
    days: 'Jours',
    months: 'Mois',
    list: 'Liste',
    today: 'Aujourd’hui',
    thisWeek: 'Cette semaine',
    laterIn: (month) => `Plus tard en ${month}`,
    earlier: 'Plus tôt',
    later: 'Plus tard',
    searchLabel: 'Rechercher dans les activités',
    searchHint: 'Rechercher dans les activités',
    search: 'Rechercher',
    matching: (count, shown, filter) =>
      `${plural(count, { one: `${shown} activité correspond`, other: `${shown} activités correspondent` })} à «\u202f${filter}\u202f».`,
    showAll: 'Tout afficher',
    followMatching: 'Suivre cette sélection',
    comingUp: 'À venir',
    alsoComingUp: 'Également à venir',
    alsoRunning: 'Également en cours',
    latest: 'Dernières publications',
    you: (role) => `Vous\u202f: ${role}`,
    full: 'complet',
    open: (open) => plural(open, { one: `${open} libre`, other: `${open} libres` }),
    placesOpen: (open, places) =>
      plural(open, {
        one: `${open} place libre sur ${places}`,
        other: `${open} places libres sur ${places}`,
      }),
  },
  certifications: {
    about: 'Seules les personnes qui ont ce lien voient cette page.',
    expired: 'Expirées',
    within: (days) => `Dans les ${days} prochains jours`,
    none: 'Aucune',
  },
  agenda: {
    roster: {
      title: 'Garde et inscriptions',
      duty: 'De garde',
      noShifts: 'Aucune garde ces jours-là.',
      noSheets: 'Aucune inscription ces jours-là.',
    },
    title: 'Calendrier',
    description: (name) => `Événements à venir\u202f: ${name}.`,
    nothingYet: (follow) =>
      `Rien de prévu pour l’instant. ${follow('Suivez le calendrier')} et les nouveaux événements apparaîtront automatiquement.`,
    nothing: (follow) =>
      `Rien de prévu ces jours-là. ${follow('Suivez le calendrier')} et les nouveaux événements apparaîtront automatiquement.`,
  },
  month: {
    title: 'Mois',
    description: (month, name) => `Événements ${of(month)}, à lire et à imprimer\u202f: ${name}.`,
    days: 'Jours',
    earlier: 'Jours précédents',
    thisMonth: 'Ce mois-ci',
    print: 'Imprimer',
    isToday: ' (aujourd’hui)',
    more: (count, shown) => plural(count, { one: `${shown} autre`, other: `${shown} autres` }),
    nothing: (follow) =>
      `Rien de prévu ce mois-ci. ${follow('Suivez le calendrier')} et les nouveaux événements apparaîtront automatiquement.`,
  },
  freeDays: {
    title: 'Disponibilité des salles',
    description: (name) =>
      `Disponibilité des salles au cours des 12 prochains mois\u202f: ${name}.`,
    explanation:
      'Journées libres et occupées au cours des 12 prochains mois. La journée vous est réservée dès que nous confirmons votre demande.',
    request: 'Faire une demande sur le site Web',
    halls: 'Salles',
    uses: { free: 'libre', partly: 'partiellement occupée', taken: 'occupée' },
    saturdays: (days) => `Prochains samedis libres\u202f: ${days.join(', ')}.`,
    unread:
      'Certaines réservations n’ont pas pu être lues. Une journée qui semble libre peut donc être occupée. Renseignez-vous auprès de nous avant de planifier.',
    distantEnd: (days) =>
      `Sur notre site Web, une réservation qui commence à cette date se termine au moins un an plus tard\u202f: ${days.join(', ')}. Seule sa première journée est prise en compte ici. Renseignez-vous auprès de nous pour les journées suivantes.`,
  },
  event: {
    isOver: 'Cet événement est terminé.',
    isTentative: 'Pas encore confirmé. L’heure et le lieu peuvent changer.',
    changed: (day) => `Modification\u202f: ${day}`,
    when: 'Quand',
    where: 'Où',
    map: 'Voir sur la carte',
    signUp: 'Inscription',
    full: 'Complet',
    seeSheet: 'Voir la feuille d’inscription',
    signUpOnWebsite: 'S’inscrire sur le site Web',
    places: 'Places',
    placesTaken: (taken, places) =>
      plural(taken, {
        one: `${taken} place prise sur ${places}`,
        other: `${taken} places prises sur ${places}`,
      }),
    contact: 'Personne-ressource',
    add: {
      title: 'Ajouter à votre calendrier',
      file: 'Ajouter cet événement',
      google: 'Ajouter à Google Agenda',
      googleName: 'Google Agenda',
      explanation: (follow) =>
        `Il s’agit d’une copie, qui ne changera pas si l’événement est déplacé. ${follow('Suivez le calendrier')} pour rester à jour. Si vous le suivez déjà, l’événement s’y trouve.`,
    },
  },
  kept: {
    title: 'Garder à jour',
    explanation:
      'Ajoute un calendrier avec seulement les activités que vous enregistrez ici, changements compris.',
    save: 'Enregistrer cette activité',
    saved: 'Activités enregistrées ({n})',
    full: (most) =>
      `Vous avez enregistré ${most} activités, soit le maximum. Retirez-en une d’abord.`,
  },
  share: {
    title: 'Partager',
    share: 'Partager…',
    copy: 'Copier l’adresse',
    copied: 'Copié',
    copyByHand: 'Copiez l’adresse affichée en haut de la fenêtre.',
    email: 'Courriel',
    message: 'Message texte',
    flyer: 'Affichette à imprimer',
    picture: 'Enregistrer en image',
    flyerUse:
      'Pour le comptoir, le babillard ou les réseaux sociaux. Remplit une page au format Lettre ou A4.',
  },
  news: {
    description: (title, name) => `${title} par catégorie et par mois\u202f: ${name}.`,
    kinds: 'Types de documents',
    categories: 'Catégories',
    searchLabel: 'Mots à rechercher',
    searchHint: 'Rechercher',
    search: 'Rechercher',
    foundStories: (count, shown, { month, search }) =>
      `${plural(count, { one: `${shown} nouvelle`, other: `${shown} nouvelles` })}${foundWhere(month, search)}.`,
    foundDocuments: (count, shown, { month, search }) =>
      `${plural(count, { one: `${shown} document`, other: `${shown} documents` })}${foundWhere(month, search)}.`,
    showAll: 'Tout afficher',
    followSearch: 'Suivre cette recherche (RSS)',
    noStories: (follow) =>
      `Aucune nouvelle pour l’instant. ${follow('Suivez-nous')} et les prochaines apparaîtront automatiquement.`,
    noDocuments: (follow) =>
      `Aucun document pour l’instant. ${follow('Suivez-nous')} et les nouveaux documents apparaîtront automatiquement.`,
    pages: 'Pages',
    newer: 'Plus récentes',
    older: 'Plus anciennes',
    newerStory: 'Plus récente',
    olderStory: 'Plus ancienne',
    archive: 'Archives',
    allMonths: 'Tous les mois',
    feedReader: 'Suivre dans un lecteur de flux (RSS)',
    stories: 'Nouvelles',
    moreIn: (category) => `Également dans ${category}`,
    allOf: (title) => `Tout voir\u202f: ${title}`,
  },
  search: {
    title: 'Recherche',
    hint: 'Événements, nouvelles, documents…',
    explanation:
      'La recherche trouve tout ce qui contient tous vos mots. Mettez les expressions entre "guillemets", et un signe moins devant les mots à exclure.',
    found: (count, shown, search) =>
      `${plural(count, { one: `${shown} résultat`, other: `${shown} résultats` })} pour «\u202f${search}\u202f».`,
    nothing: (search) =>
      `Aucun résultat pour «\u202f${search}\u202f». Vérifiez l’orthographe, ou essayez avec moins de mots ou seulement le début d’un mot.`,
    shown: (shown, count) => `${shown} sur ${count} affichés.`,
    allIn: (title) => `Tout dans «\u202f${title}\u202f»`,
    inCalendar: 'Tout dans le calendrier',
    follow: 'Suivre cette recherche dans votre calendrier',
    otherApps: 'Autres applications',
  },
  county: {
    departmentCount: (count) =>
      count === 1 ? '1 service d’incendie' : `${count} services d’incendie`,
    description: (departments) => `Calendriers et nouvelles de ${departments}.`,
    none: 'Aucun service d’incendie ne figure encore ici.',
    heading: 'Suivez tous les services d’incendie dans votre calendrier',
    feedReaders: 'Pour les lecteurs de flux\u202f:',
    nothingYet: 'Rien de prévu pour l’instant.',
    news: 'Nouvelles',
    departments: 'Services d’incendie',
    website: 'Site Web',
    websiteOf: (name) => `de ${name}`,
  },
  gone: {
    title: 'Introuvable sur le site Web',
    heading: 'Cet élément n’est plus sur le site Web',
    explanation: (feed) =>
      `Le site Web n’affiche pas cet élément (${feed}). Il est terminé, a été supprimé ou n’est pas public.`,
    isRemoved: 'Le site Web ne l’affiche plus.',
  },
  poster: {
    title: 'Affiche',
    description: (name) => `Une affiche à imprimer qui invite à suivre ${name}.`,
    explanation:
      'Pour le comptoir, le babillard ou la portière d’un camion. Elle remplit une page de format Lettre ou A4. À l’impression, cochez «\u202fGraphiques d’arrière-plan\u202f» pour que la couleur apparaisse.',
    print: 'Imprimer l’affiche',
    label: 'Affiche à imprimer',
    qrCode: (address) => `Code QR de ${address}`,
    forCalendar: {
      heading: 'Abonnez-vous à notre calendrier',
      tap: 'Touchez le bouton de votre calendrier',
    },
    forFeedReader: {
      heading: 'Suivez-nous dans votre lecteur de flux',
      tap: 'Touchez le bouton de votre lecteur de flux',
    },
    scan: 'Visez le code avec l’appareil photo de votre téléphone',
    updates: 'Tout se met à jour automatiquement',
  },
  embed: {
    noEntries: 'Aucun événement à venir.',
    noNews: 'Aucune nouvelle pour l’instant.',
    follow: 'Suivre',
    nextOfAll: 'Tous les calendriers\u202f: prochain événement',
    monthOfAll: 'Tous les calendriers\u202f: mois',
  },
  errors: {
    notFound: 'Page introuvable.',
    invalid: 'La requête n’est pas valide.',
    failed: (id) => `Une erreur est survenue. Elle est consignée sous le numéro ${id}.`,
    isBusy: 'Le serveur est très sollicité. Réessayez dans un instant.',
    picturesBusy: 'Trop d’images sont en cours de chargement. Réessayez dans un instant.',
    drawsNoPictures:
      'Ce serveur ne peut pas dessiner d’images, car la bibliothèque sharp n’est pas compatible avec sa plateforme.',
    unread: 'Le site Web n’a pas encore été lu. Réessayez dans un instant.',
    isSwitchedOff:
      'Ce contenu n’est pas disponible en ce moment. Gardez votre abonnement\u202f: tout reviendra automatiquement dès que le site Web l’offrira de nouveau.',
    isStoreFull:
      'Impossible d’enregistrer\u202f: le disque ou la base de données de Feedhouse n’a plus de place. Libérez de l’espace, revenez en arrière et réessayez.',
    storeFailed:
      'Les données enregistrées sont inaccessibles en ce moment. Réessayez dans un instant.',
    unknownLink:
      'Lien d’abonnement inconnu. Demandez-en un nouveau à la personne qui vous l’a donné.',
    linksNotLoaded:
      'Les liens d’abonnement sont en cours de chargement. Réessayez dans un instant.',
    isClosed: 'Ce lien d’abonnement n’est plus actif; rien n’a été enregistré.',
    forms: {
      expired: 'Votre session a expiré. Rechargez la page d’administration.',
      otherAddress: 'Ce formulaire a été envoyé à partir d’une page dont l’adresse est différente.',
      otherAddressThan: (url, setting) =>
        `Ce formulaire a été envoyé à partir d’une page dont l’adresse est différente. Ouvrez la page à l’adresse ${url} ou corrigez ${setting}.`,
      otherHost: (setting) =>
        `La page d’administration n’est pas disponible sous ce nom d’hôte. Indiquez l’adresse de Feedhouse dans ${setting}, ou ouvrez la page par son adresse IP.`,
      unreadable: 'Le formulaire est illisible. Réessayez.',
      tooManyFields: (max) => `Le formulaire a plus de ${max} champs.`,
      tooLong: (kibibytes) =>
        `Le texte est trop long. Utilisez au plus ${kibibytes} Kio; divisez une longue liste en plusieurs.`,
    },
    tooMany: {
      'too many variants':
        'Trop de contenus différents ont été demandés en peu de temps. Réessayez dans un instant.',
      'too many guesses': 'Trop d’adresses inconnues ont été demandées. Réessayez plus tard.',
      'too many saves':
        'Votre sélection a été enregistrée trop souvent en peu de temps. Réessayez dans un instant.',
      'too many sign-ins': 'Trop de mots de passe erronés. Réessayez dans une minute.',
      'too many account requests':
        'Les applications de calendrier ont envoyé trop de requêtes avec ce lien. Réessayez dans un instant.',
    },
    isNotIncluded: (feed) =>
      `Ce lien d’abonnement ne comprend pas ${feed === undefined ? 'ce contenu' : `«\u202f${feed}\u202f»`}. Demandez-en un autre au responsable du site Web.`,
    isNotPublic: (feed) =>
      `${feed === undefined ? 'Ce contenu' : `«\u202f${feed}\u202f»`} n’est pas public. Si vous avez un lien d’abonnement, consultez la page de ce lien. Sinon, demandez-en un au responsable du site Web.`,
  },
}

/** `de mars`, `d’avril` */
function of(month: string): string {
  return /^[aeiou]/.test(month) ? `d’${month}` : `de ${month}`
}

function foundWhere(month: string | undefined, search: string): string {
  const from = month === undefined ? '' : ` ${of(month)}`
  return search === '' ? from : `${from} avec «\u202f${search}\u202f»`
}
