import { pluralIn } from '../../../records/messages.ts'
import type { FollowMessages } from './en.ts'

const plural = pluralIn('fr')

const chosenOf = (chosen: number) =>
  plural(chosen, { one: `${chosen} choisi`, other: `${chosen} choisis` })

export const french: FollowMessages = {
  common: {
    allFeeds: 'Tous les abonnements et adresses',
    ourWebsite: 'Notre site Web',
    calendarsAndNews: 'Calendriers et nouvelles',
    ofFeed: (title) => `(${title})`,
    titled: (title, text) => `${title} : ${text}`,
    copy: 'Copier',
    copied: 'Copié',
    save: 'Enregistrer',
    nothingPublic: (site) =>
      `${site} ne publie ni calendrier ni nouvelles. Si vous en êtes membre, demandez un lien privé au responsable du site Web.`,
    nothingNow: 'Aucun abonnement n’est offert pour le moment. Revenez plus tard.',
    isLocal:
      'Seul cet ordinateur peut ouvrir ces adresses. Pour Google, Outlook et les téléphones, Feedhouse a besoin d’une adresse publique (le paramètre PUBLIC_URL).',
    otherOrigin:
      'Ce formulaire a été envoyé à partir d’une page dont l’adresse est différente. Ouvrez le formulaire à cette adresse et réessayez.',
    noneChosen: 'Choisissez au moins un calendrier.',
    noneChosenNews: 'Choisissez au moins un type de nouvelles.',
    withdrawn: 'Les calendriers choisis ne sont plus disponibles. Choisissez-en d’autres.',
    withoutEntries: (id) => `Numéro ${id}, vide pour le moment`,
  },
  home: {
    titleWithCalendar: (site) => `${site} : calendrier`,
    titleWithNews: (site) => `${site} : nouvelles`,
    description: (site) =>
      `${site} : suivez le calendrier et les nouvelles sur votre téléphone ou votre ordinateur.`,
    privateLink: 'Lien privé',
    freeDays: 'Disponibilité des salles',
    forScreens: 'Pour les écrans',
    forWebsite: 'Pour votre site Web',
    isMissing: 'Il manque quelque chose dans votre application?',
    heading: 'Abonnez-vous à notre calendrier',
    headingForMember: 'Ajoutez le tout à votre agenda',
    introForMember:
      'Vos propres quarts et ce que vous choisissez ici. Tout se met à jour automatiquement.',
    introWithoutChoice: 'Tout se met à jour automatiquement.',
    introWithSaving:
      'Choisissez ce qui vous intéresse. Vous pouvez changer vos choix ici en tout temps.',
    intro: 'Choisissez ce qui vous intéresse. Tout se met à jour automatiquement.',
    saved: 'Enregistré. Vos applications afficheront vos choix à leur prochaine actualisation.',
    whatToFollow: 'Ce que vous voulez suivre',
    moreCalendars: (count, chosen) =>
      plural(count, {
        one: `${count} autre calendrier (${chosenOf(chosen)})`,
        other: `${count} autres calendriers (${chosenOf(chosen)})`,
      }),
    updateButtons: 'Mettre à jour les boutons',
    onYourPhone: 'Sur votre téléphone',
    qrCode: 'Code QR qui ouvre cette page sur un téléphone',
    pointCamera: 'Visez le code avec l’appareil photo.',
    hello: (name) => `Bonjour, ${name}`,
    yourCalendar: 'Votre calendrier',
    yourNextShifts: 'Vos prochains quarts',
    noShifts: 'Vous n’avez aucune inscription pour les trois prochains mois.',
    allYourEntries: 'Tout ce qui vous concerne',
    onDutyTonight: 'De garde cette nuit',
    canYouHelp: 'Pouvez-vous aider ?',
    weeklyEmail: 'Recevoir un courriel hebdomadaire',
    next: 'Prochainement',
    nextEvent: 'Prochain événement',
    comingUp: 'À venir',
    calendarIsLoading:
      'Le calendrier est en cours de chargement. Actualisez cette page dans une minute.',
    nothingPlanned:
      'Rien de prévu pour le moment. Abonnez-vous maintenant et les nouveaux événements s’afficheront automatiquement.',
    wholeCalendar: 'Calendrier complet',
    printMonth: (month) => `Imprimer ${month}`,
    announcements: 'Annonces',
    news: 'Nouvelles',
    followNews: 'Suivez nos nouvelles',
    newsIsLoading:
      'Les dernières nouvelles sont en cours de chargement. Actualisez cette page dans une minute.',
    noNews:
      'Pas encore de nouvelles. Abonnez-vous maintenant et elles s’afficheront automatiquement.',
    allNews: 'Toutes les nouvelles',
    newsInReader: 'Lire nos nouvelles dans un lecteur de flux',
    rssAddress: 'Adresse RSS',
    theRssAddress: 'l’adresse RSS',
    isPrivate: 'Cette page est privée',
    isPrivateUntil: (day) => `Cette page est privée (expiration : ${day})`,
    anyoneCanRead:
      'Toute personne qui a l’adresse de cette page peut consulter ce contenu. Ne la partagez pas.',
    appleUnencrypted:
      'Au moment de l’abonnement, l’application Calendrier d’Apple peut envoyer l’adresse une fois sans chiffrement. Sur un réseau auquel vous ne faites pas confiance, copiez plutôt l’adresse et ajoutez-la manuellement.',
    isPersonal:
      'Ce lien est réservé à une seule personne. Le calendrier contient toujours ses propres inscriptions et les dates d’expiration de ses certifications.',
    memberContacts: 'Numéros de téléphone et adresses des membres',
  },
  script: {
    saved: 'Enregistré. Vos applications en tiendront compte à leur prochaine actualisation.',
    notSaved: 'Vos choix n’ont pas pu être enregistrés. Appuyez sur Enregistrer pour réessayer.',
    buttonsUpdated: 'Les boutons tiennent maintenant compte de vos choix.',
    copiedToSend: 'Adresse copiée. Il ne reste qu’à vous l’envoyer.',
    addressesUpdated: 'Les adresses ont été mises à jour',
  },
  apps: {
    apps: 'Applications',
    otherApp: 'Autre application',
    otherAppOrNone: 'Autre application, ou aucune',
    openInChrome: 'Ouvrir dans Chrome',
    openInSafari: 'Ouvrir dans Safari',
    sendToComputer: 'Envoyer à mon ordinateur',
    copyAddress: 'Copier l’adresse',
    copyBelow: 'Copiez l’adresse ci-dessous.',
    pasteAndConfirm: 'Collez l’adresse et confirmez.',
    copyAndOpenGoogle: 'Copier et ouvrir Google Agenda',
    stepByStep: 'Étape par étape',
    nothingHappened: 'Rien ne s’est passé? Copiez cette adresse',
    addressOf: (app) => `Adresse du calendrier (${app})`,
    theAddressOf: (app) => `l’adresse (${app})`,
    apple: {
      name: 'iPhone, iPad, Mac',
      add: 'Ajouter au calendrier Apple',
      after:
        'Touchez S’abonner lorsque votre appareil vous le demande. Les changements s’affichent habituellement en quelques heures.',
      steps: [
        'Ouvrez cette page dans Safari et appuyez de nouveau sur le bouton, ou copiez l’adresse ci-dessous.',
        'iPhone, iPad : ouvrez Réglages › Apps › Calendrier › Comptes Calendrier › Ajouter un compte › Autre, puis ajoutez un calendrier avec abonnement. Mac : ouvrez Calendrier et choisissez un nouvel abonnement dans le menu Fichier.',
      ],
    },
    google: {
      add: 'Ajouter à Google Agenda',
      onPhone:
        'L’application Google Agenda pour téléphone ne permet pas d’ajouter un calendrier. Ajoutez-le une seule fois sur un ordinateur, et il s’affichera sur votre téléphone.',
      after:
        'Cliquez sur « Ajouter » lorsque Google vous le demande. Google affiche les changements en moins d’une journée.',
      afterCopying:
        'Collez-y l’adresse et cliquez sur « Ajouter un agenda ». Google affiche les changements en moins d’une journée.',
      steps: [
        'Sur un ordinateur, ouvrez calendar.google.com et, à côté de « Autres agendas », choisissez + › À partir de l’URL.',
        'Collez l’adresse et cliquez sur « Ajouter un agenda ». Il s’affichera aussi sur votre téléphone.',
      ],
    },
    outlook: {
      add: 'Ajouter à Outlook.com',
      addToMicrosoft365: 'Travail ou école (Microsoft 365)',
      after:
        'Si Outlook vous demande de vous connecter, faites-le, puis appuyez de nouveau sur le bouton. Outlook affiche les changements en moins d’une journée.',
      steps: [
        'Dans Outlook, ouvrez le calendrier et choisissez Ajouter un calendrier › S’abonner à partir du web. Dans Outlook classique : Fichier › Paramètres du compte › Calendriers Internet › Nouveau.',
        'Collez l’adresse et cliquez sur « Importer » ou « Ajouter ».',
      ],
    },
    android: {
      openIcsx5: 'Pas d’ordinateur? Ouvrir dans ICSx⁵',
      after:
        'Les téléphones Android ne permettent pas d’ajouter directement un calendrier. Ajoutez-le une seule fois sur un ordinateur, et il s’affichera sur votre téléphone en moins d’une journée. Pas d’ordinateur? Utilisez ICSx⁵, une application gratuite.',
      send: 'Envoyez-vous cette page, ou copiez l’adresse ci-dessous.',
      add: 'Sur un ordinateur, ouvrez la page et cliquez sur « Ajouter à Google Agenda ».',
      addByCopying:
        'Sur un ordinateur, ouvrez la page, cliquez sur « Copier et ouvrir Google Agenda », puis collez l’adresse.',
      turnOn: 'Sur votre téléphone, ouvrez le menu de Google Agenda et activez le calendrier.',
    },
    other: {
      name: 'Autres applications',
      short: 'Autres',
      inApp:
        'Le navigateur de cette application ne permet pas d’ajouter de calendriers. Ouvrez cette page dans votre navigateur habituel : appuyez sur le bouton ci-dessus, ou cherchez dans le menu ⋯ ou ⋮.',
      after:
        'Pour Thunderbird, Proton, Fastmail, Nextcloud et d’autres. Selon l’application, les changements s’affichent dans un délai d’une heure à une semaine.',
      look: 'Dans votre application, cherchez « S’abonner », « À partir de l’URL » ou « Nouvel agenda sur le réseau ».',
    },
  },
  feeds: {
    title: (site) => `${site} : tous les abonnements et adresses`,
    description:
      'Suivez nos événements et nos nouvelles dans votre calendrier, dans un lecteur de flux ou sur cette page.',
    intro: (home) =>
      `Tous les calendriers et flux de nouvelles, avec leurs formats et leurs options. Pour vous abonner rapidement, passez par la ${home('page d’accueil')}.`,
    isPrivate:
      'Cette page est privée : toute personne qui a son adresse peut consulter ce contenu. Ne la partagez pas. Pour Google, collez l’adresse copiée. Lors d’un abonnement en un seul geste, Apple peut envoyer une fois l’adresse sans chiffrement; sur un réseau auquel vous ne faites pas confiance, copiez plutôt l’adresse.',
    everythingForReaders: 'Tout en un, pour les lecteurs de flux.',
    upcoming: 'À venir',
    latest: 'Dernières publications',
    includes: (chosen) => `Ces boutons et ces adresses tiennent compte de vos choix (${chosen}).`,
    reset: 'Réinitialiser',
    appleOrDevice: 'Apple ou cet appareil',
    googleCalendar: 'Google Agenda',
    calendarAddress: 'Adresse du calendrier',
    forReaders: (format) => `${format}, pour les lecteurs de flux`,
    formatOf: (format, title) => `${format} (${title})`,
    download: 'Télécharger une copie',
    willNotUpdate: '(sans mise à jour)',
    qrCode: 'Code QR',
    qrCodeOf: (title) => `Code QR qui ouvre ${title} sur un téléphone`,
    pointCamera: 'Visez le code avec l’appareil photo de votre téléphone pour vous y abonner.',
    options: 'Options',
    onlyThese: 'Seulement ce qui suit',
    updateAddresses: 'Mettre à jour les adresses',
    parts: 'Par catégorie',
    lastChanged: (moment) => `Dernier changement : ${moment}`,
    chosenOption: (option, value) => `${option} : ${value}`,
    tooLong: (characters) =>
      `L’adresse aurait plus de ${characters} caractères, ce que certains calendriers refusent. Choisissez moins d’options.`,
    unknownChoice: (value) => `Choix inconnu : ${value}.`,
    members: 'Membres',
    membersAbout:
      'Numéros de téléphone, courriels et adresses postales de tous les membres, pour les carnets d’adresses.',
    membersOneByOne: 'Tous les membres, un par un pour les téléphones',
    combinedForReaders: (formats) => `Pour les lecteurs de flux : ${formats}.`,
    poster: 'Affiche à imprimer',
    setUpScreen: 'Configurer un écran',
    opml: 'Tous les flux de nouvelles pour un lecteur de flux (OPML)',
  },
  matches: {
    entries: (count, isMore) =>
      count === 0
        ? 'Aucune activité à venir ne correspond pour le moment. Dès qu’une activité correspondra, elle apparaîtra.'
        : `${isMore ? 'Au moins ' : ''}${plural(count, { one: `${count} activité à venir correspond`, other: `${count} activités à venir correspondent` })} pour le moment.`,
    items: (count, isMore) =>
      count === 0
        ? 'Aucune publication ne correspond pour le moment. Dès qu’une publication correspondra, elle apparaîtra.'
        : `${isMore ? 'Au moins ' : ''}${plural(count, { one: `${count} publication correspond`, other: `${count} publications correspondent` })} pour le moment.`,
    show: 'Afficher les résultats',
  },
  howSoon: {
    title: 'Délai d’affichage des changements',
    about:
      'Les changements apportés au site Web s’affichent ici en quelques minutes. La fréquence des vérifications dépend de votre application.',
    app: 'Calendrier ou lecteur',
    checks: 'Fréquence des vérifications',
    rows: [
      [
        'Calendrier Apple',
        'toutes les 15 minutes ou plus rarement (jusqu’à une fois par semaine), selon vos réglages : sur iPhone, sous Réglages › Apps › Calendrier › Comptes Calendrier › Nouvelles données; sur Mac, dans les réglages de chaque calendrier (actualisation automatique)',
      ],
      [
        'Google Agenda',
        'toutes les 8 à 24 heures, sans réglage possible. Ajoutez les calendriers sur un ordinateur; l’application pour téléphone ne le permet pas',
      ],
      ['Outlook.com, Microsoft 365', 'environ toutes les 3 heures, parfois une fois par jour'],
      ['Outlook pour Windows', 'au démarrage, puis toutes les 1 à 3 heures'],
      ['Thunderbird', 'selon les réglages de chaque calendrier'],
      [
        'Android',
        'selon les réglages d’une application d’abonnement à des calendriers, comme ICSx⁵',
      ],
    ],
    readers: ['Lecteurs de flux', 'habituellement toutes les 15 à 60 minutes'],
  },
  choice: {
    title: 'Tout en un',
    about:
      'Une seule adresse avec tout ce que vous choisissez ci-dessous. Vous pourrez changer vos choix plus tard : l’adresse sur votre téléphone reste la même.',
    isPersonal:
      'Ce lien est réservé à une seule personne. « Mon calendrier » contient aussi ses propres inscriptions et les dates d’expiration de ses certifications, peu importe vos choix.',
    saved:
      'Vos choix sont enregistrés. Vos applications les afficheront à leur prochaine vérification.',
    isEmpty: (title) =>
      `${title} : il n’y a rien à afficher, car ce qui était choisi n’est plus disponible. Choisissez autre chose ci-dessous.`,
    calendar: 'Mon calendrier',
    news: 'Mes nouvelles',
    newsForReaders: 'Mes nouvelles, pour les lecteurs de flux',
    theAddressOf: (label) => `l’adresse (${label})`,
    chooseContent: 'Choisir le contenu',
    optional: '(facultatif)',
    isShared:
      'Vos choix sont enregistrés pour ce lien; ils s’appliquent donc à toutes les personnes qui l’utilisent.',
    reminderFor: (title) => `Rappel (${title})`,
    sameAsAbove: 'comme ci-dessus',
    noReminder: 'aucun',
  },
  website: {
    title: 'Pour votre site Web',
    about:
      'Les événements et les nouvelles peuvent s’intégrer aux pages de l’organisation et y rester à jour.',
    updateCode: 'Mettre à jour le code',
    preview: 'Aperçu',
    theCode: (label) => `(${label})`,
    show: 'Afficher',
    layout: 'Présentation',
    layouts: { list: 'Liste', cards: 'Vignettes', month: 'Mois (calendriers seulement)' },
    colors: 'Couleurs',
    themes: {
      auto: 'Comme votre page',
      light: 'Claires',
      dark: 'Foncées',
      device: 'Selon l’appareil du visiteur',
    },
    html: 'Code pour WordPress, Squarespace et HTML',
    htmlHelp:
      'HTML : collez-le dans la page. WordPress : ajoutez un bloc « HTML personnalisé » et collez-y le code. Seuls les administrateurs et les éditeurs peuvent l’enregistrer. Squarespace : ajoutez un bloc « Code » et collez-y le code, en désactivant l’affichage de la source.',
    url: 'Adresse pour Google Sites',
    urlHelp:
      'Google Sites : choisissez Insérer › Intégrer › Par URL et collez-la. Faites ensuite glisser le cadre jusqu’à la hauteur voulue.',
    frame: 'Cadre pour d’autres outils de création de sites',
    frameHelp:
      'Collez-le là où l’outil accepte du HTML ou du code à intégrer, par exemple dans Wix.',
  },
  account: {
    link: 'Ajouter comme compte de calendrier',
    title: (site: string) => `Compte de calendrier – ${site}`,
    heading: 'Un seul compte pour tous les calendriers',
    about:
      'Votre application affiche chaque calendrier dans sa propre couleur, ajoute d’elle-même les nouveaux et vérifie plus souvent s’il y a des changements. Les calendriers sont en lecture seule.',
    aboutContacts: 'Les coordonnées des membres restent à jour elles aussi.',
    instead:
      'Utilisez le compte à la place de l’abonnement. Avec les deux, tout apparaît en double.',
    apple: {
      name: 'iPhone, iPad et Mac',
      add: 'Télécharger le profil',
      open: 'Sur un iPhone ou un iPad, ouvrez Réglages et touchez « Profil téléchargé ». Sur un Mac, ouvrez le fichier téléchargé, puis Réglages Système › Général › Gestion des appareils.',
      installSigned:
        'Installez le profil. Il ne contient que ce compte, et l’appareil indique qui l’a signé.',
      installUnsigned:
        'Installez le profil. L’appareil indique qu’il n’est pas signé. Il ne contient que ce compte.',
    },
    android: {
      add: 'Ouvrir dans DAVx⁵',
      steps: [
        'Installez DAVx⁵ depuis Google Play ou F-Droid.',
        'Revenez ici et touchez le bouton ci-dessus, ou entrez les valeurs ci-dessous.',
        'Choisissez les calendriers voulus.',
      ],
    },
    other: {
      name: 'Thunderbird, Evolution et autres',
      steps: [
        'Ajoutez un calendrier « sur le réseau » ou un compte CalDAV.',
        'Copiez ces valeurs dans les champs.',
        'Choisissez les calendriers voulus.',
      ],
    },
    server: 'Adresse du serveur',
    user: 'Nom d’utilisateur',
    password: 'Mot de passe',
    isSecret:
      'Toute personne qui a ce mot de passe peut lire tout ce que ce lien affiche. Ne le partagez pas.',
  },
  members: {
    title: (site) => `Membres – ${site}`,
    heading: 'Membres',
    isPrivate:
      'Cette page est privée : toute personne qui a son adresse peut voir ces numéros de téléphone et ces adresses. Ne la partagez pas.',
    saveEveryone: 'Enregistrer tout le monde dans un carnet d’adresses',
    oneByOne:
      'Sur un téléphone, ajoutez les personnes une à la fois : bien des navigateurs de téléphone ne lisent que la première personne d’un fichier. Sur un ordinateur, importez tout le monde d’un coup :',
    addressBook: 'Carnet d’adresses (vCard)',
    spreadsheet: 'Feuille de calcul (CSV)',
    spreadsheetForGoogle: 'Feuille de calcul (CSV), aussi pour Google Contacts',
    noUpdates:
      'Un carnet d’adresses ne reçoit pas les changements ultérieurs. Une nouvelle importation peut créer des doublons; supprimez d’abord les anciens contacts.',
    phones: {
      CELL: ' (cellulaire)',
      HOME: ' (domicile)',
      WORK: ' (travail)',
      FAX: ' (télécopieur)',
      PAGER: ' (téléavertisseur)',
      VOICE: '',
    },
    email: 'Courriel',
    emailTo: (name) => `à ${name}`,
    addToContacts: 'Ajouter aux contacts',
    noMembers: 'Le site Web n’affiche aucun membre.',
  },
}
