import type { FeedMessages } from './en.ts'

export const french: FeedMessages = {
  feeds: {
    calendar: {
      title: 'Calendrier',
      summary: 'Exercices, réunions et gardes des membres.',
      prefix: 'Membres\u202f:',
    },
    events: {
      title: 'Événements',
      summary: 'Événements publics annoncés sur le site Web.',
      prefix: 'Événement\u202f:',
      label: 'Événements publics',
    },
    rental: {
      title: 'Locations',
      summary: 'Périodes où les salles sont réservées.',
      prefix: 'Location\u202f:',
    },
    signup: {
      title: 'Inscriptions',
      summary: 'Les activités auxquelles on peut s’inscrire et le nombre de places libres.',
      prefix: 'Inscription\u202f:',
      label: 'Inscriptions ouvertes',
    },
    news: { title: 'Nouvelles', summary: 'Nouvelles, les plus récentes en premier.' },
    announcements: { title: 'Annonces', summary: 'Annonces du moment sur le site Web.' },
    minutes: {
      title: 'Procès-verbaux',
      summary: 'Procès-verbaux des réunions, les plus récents en premier.',
    },
    documents: {
      title: 'Documents',
      summary: 'Documents du site Web, les plus récents en premier.',
    },
    guestbook: {
      title: 'Livre d’or',
      summary: 'Messages du livre d’or, les plus récents en premier.',
    },
    forum: {
      title: 'Forum',
      summary: 'Sujets du forum, les plus récemment commentés en premier.',
    },
    training: {
      title: 'Certifications',
      summary: 'Dates d’expiration des certifications des membres.',
      prefix: 'Formation\u202f:',
    },
    presentations: {
      title: 'Présentations de formation',
      summary: 'Présentations du centre de formation, les plus récentes en premier.',
    },
    quizzes: {
      title: 'Questionnaires de formation',
      summary: 'Questionnaires du centre de formation, les plus récents en premier.',
    },
    members: { title: 'Membres', summary: 'Les coordonnées des membres.' },
    changes: {
      title: 'Changements',
      summary:
        'Ce qui a changé dans les calendriers\u202f: heures, lieux, annulations et nouvelles activités.',
    },
    digest: {
      title: 'Résumé de la semaine',
      summary:
        'Une fois par semaine\u202f: les activités à venir, les changements et les nouvelles, pour une infolettre.',
    },
  },
  coming: 'À venir',
  prefixFor: (title) => `${title}\u202f:`,
  titled: (organization, title) => `${organization}\u202f: ${title}`,
  databases: {
    summary: 'Fiches d’une base de données du site Web, les plus récemment modifiées en premier.',
    datesSummary: 'Dates d’une base de données du site Web.',
  },
  topic: {
    summary: 'Réponses à ce sujet du forum.',
    unavailable: 'Ce sujet n’est pas disponible.',
  },
  combined: {
    all: {
      title: 'Tout en un',
      calendar: {
        title: 'Tous les calendriers',
        summary: 'Tous les calendriers en un seul, où chaque activité n’apparaît qu’une fois.',
        summaryWithDuplicates: 'Tous les calendriers en un seul.',
      },
      news: {
        title: 'Toutes les nouvelles',
        summary: 'Toutes les nouvelles en un seul flux, pour les lecteurs de flux.',
      },
    },
    my: {
      title: 'Mes abonnements',
      calendar: {
        title: 'Mon calendrier',
        summary:
          'Les calendriers de ce lien d’abonnement en un seul, où chaque activité n’apparaît qu’une fois.',
        summaryWithDuplicates: 'Les calendriers de ce lien d’abonnement en un seul.',
      },
      news: {
        title: 'Mes nouvelles',
        summary: 'Les nouvelles de ce lien d’abonnement en un seul flux.',
      },
    },
    kept: 'Activités enregistrées',
    noSources:
      'Le contenu choisi pour ce lien n’est plus disponible. Ouvrez la page du lien pour faire un autre choix.',
    ownOnly:
      'Les inscriptions du membre à qui appartient ce lien et ses certifications à renouveler.',
    ownCategory: 'Mes activités',
  },
  board: (organization) => `${organization}\u202f: événements et nouvelles.`,
  county: {
    calendar: 'Tous les services d’incendie',
    calendarSummary:
      'Les calendriers publics de tous les services d’incendie en un seul, des 30 derniers jours aux 180 prochains.',
    news: 'Nouvelles de tous les services d’incendie',
    newsSummary:
      'Les dernières nouvelles de tous les services d’incendie, les plus récentes en premier.',
    source: (organization, link) => `${organization}\u202f: ${link('calendriers et nouvelles')}`,
  },
  contacts: {
    unnamed: (memberId) => `Membre ${memberId}`,
    phones: {
      CELL: 'Cellulaire',
      HOME: 'Domicile',
      WORK: 'Travail',
      FAX: 'Télécopieur',
      PAGER: 'Téléavertisseur',
      VOICE: 'Autre',
    },
    email: 'Autre',
    address: 'Domicile',
  },
  link: {
    paused: {
      title: 'Ce lien d’abonnement est en pause',
      text: (organization) =>
        `${organization}\u202f: le responsable du site Web a mis en pause le lien de cet abonnement, qui n’affiche donc rien pour le moment. Conservez votre abonnement\u202f: tout reviendra automatiquement dès que le lien sera réactivé.`,
      screen: (organization) =>
        `${organization}\u202f: le responsable du site Web a mis en pause le lien de cet écran. Tout reviendra automatiquement dès que le lien sera réactivé.`,
    },
    revoked: {
      title: 'Ce lien d’abonnement a été retiré',
      text: (organization, day) =>
        `${organization}\u202f: le lien de cet abonnement a été retiré le ${day}; l’abonnement ne reçoit donc plus de mises à jour. Demandez un nouveau lien au responsable du site Web, utilisez-le pour vous abonner de nouveau, puis supprimez cet abonnement.`,
      screen: (organization, day) =>
        `${organization}\u202f: le lien de cet écran a été retiré le ${day}. Demandez un nouveau lien au responsable du site Web et ouvrez-en l’affichage sur cet écran.`,
    },
    expired: {
      title: 'Ce lien d’abonnement a expiré',
      text: (organization, day) =>
        `${organization}\u202f: le lien de cet abonnement a expiré le ${day}; l’abonnement ne reçoit donc plus de mises à jour. Demandez un nouveau lien au responsable du site Web, utilisez-le pour vous abonner de nouveau, puis supprimez cet abonnement.`,
      screen: (organization, day) =>
        `${organization}\u202f: le lien de cet écran a expiré le ${day}. Demandez un nouveau lien au responsable du site Web et ouvrez-en l’affichage sur cet écran.`,
    },
  },
  madePrivate: {
    title: 'Ce flux n’est plus public',
    text: (organization, day) =>
      `${organization}\u202f: ce flux n’est plus public depuis le ${day}; l’abonnement ne reçoit donc plus de mises à jour. Demandez un lien d’abonnement au responsable du site Web, utilisez-le pour vous abonner de nouveau, puis supprimez cet abonnement.`,
  },
  options: {
    dedupe: {
      label: 'Activités présentes dans plusieurs calendriers',
      byDefault: 'apparaissent une fois',
      others: { 0: 'apparaissent une fois par calendrier' },
    },
    prefix: {
      label: 'Titres',
      byDefault: 'inchangés',
      others: {
        1: 'commencent par un mot désignant le calendrier',
        emoji: 'commencent par un émoji désignant le calendrier',
      },
    },
    within: {
      label: 'Expiration',
      byDefault: 'peu importe la date (dans les lecteurs de flux\u202f: d’ici 90 jours)',
      others: { 30: 'd’ici 30 jours', 90: 'd’ici 90 jours', 365: 'd’ici un an' },
    },
    certificationAlarm: {
      label: 'Rappels',
      thrice: '90, 30 et 7 jours avant',
      twice: '90 et 30 jours avant',
      month: '30 jours avant',
      week: '7 jours avant',
      none: 'aucun',
    },
  },
}
