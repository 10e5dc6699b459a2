import { listIn, pluralIn } from '../../../../records/messages.ts'
import type { PagesMessages } from './en.ts'

const plural = pluralIn('fr')
const list = listIn('fr')

export const french: PagesMessages = {
  screens: {
    title: 'Écrans',
    emergency: 'Texte d’urgence',
    about:
      'Il prend fin automatiquement à l’heure choisie, même sur les écrans qui n’ont alors plus de connexion.',
    done: {
      shown: 'Le texte s’affiche en moins d’une minute.',
      tested: (minutes) =>
        `L’essai s’affiche en moins d’une minute et prend fin après ${minutes} minutes.`,
      kept: 'L’essai est terminé. Ce texte a été affiché entre-temps et n’a pas été retiré.',
      cleared: 'Le texte disparaît en moins d’une minute.',
    },
    publicScreens: 'les écrans avec le contenu public',
    testedOn: (screen) => `Essai sur ${screen}\u202f:`,
    shownOn: (places) => `Affiché sur ${list(places).toLowerCase()}\u202f:`,
    textUntil: (title, end) => `«\u202f${title}\u202f» jusqu’au ${end}.`,
    clear: 'Retirer le texte d’urgence',
    clearTest: 'Terminer l’essai',
    fields: {
      title: 'Titre',
      text: 'Texte',
      until: (timeZone) => `Fin, dans le fuseau horaire du site Web (${timeZone})`,
    },
    preview: 'Aperçu d’un écran',
    where: 'Où',
    places: { screens: 'Écrans', devices: 'Téléphones et courriel', pages: 'Pages' },
    aboutPlaces: {
      screens: 'Remplace tout, sur chaque écran, en moins d’une minute.',
      pages:
        'En haut de toutes les pages, des prochains courriels et, en moins de cinq minutes, des listes intégrées.',
    },
    devices: (count, shown) =>
      plural(count, { one: `${shown} appareil`, other: `${shown} appareils` }),
    followers: (count, shown) =>
      plural(count, { one: `${shown} abonné`, other: `${shown} abonnés` }),
    reached: (devices, followers) =>
      `Une notification à ${devices} et un courriel à ${followers} qui ont demandé les avis d’urgence. On ne peut pas les rappeler.`,
    reachedAgain: (devices, followers) =>
      `Une notification à ${devices} et un courriel à ${followers} qui ont demandé les avis d’urgence, et de nouveau si vous remplacez le texte. On ne peut pas les rappeler.`,
    show: 'Afficher le texte d’urgence',
    replace: 'Remplacer le texte d’urgence',
    test: 'Essai',
    onlyOn: 'Seulement sur',
    allPublicScreens: 'Les écrans avec le contenu public',
    startTest: (minutes) => `Essayer pendant ${minutes} minutes`,
    new: {
      title: 'Nouvel écran',
      about:
        'Un écran est n’importe quel navigateur à la caserne, par exemple sur un téléviseur, une tablette ou un lecteur multimédia. Il montre les événements d’aujourd’hui et des prochains jours, et les nouvelles.',
      public: 'Avec le contenu public',
      private: 'Avec du contenu privé\u202f: créer un lien',
      later: (path) =>
        `Après avoir créé le lien, choisissez «\u202fConfigurer un écran\u202f». Plus tard, ouvrez l’adresse du lien suivie de ${path}.`,
    },
    faults: {
      noTitle: 'Indiquez un titre.',
      titleTooLong: (max) => `Le titre doit avoir au plus ${max} caractères.`,
      textTooLong: (max) => `Le texte doit avoir au plus ${max} caractères.`,
      noEnd: 'Indiquez la date et l’heure de la fin du texte.',
      past: 'La fin doit être dans le futur.',
      tooLate: (days) => `La fin doit être dans les ${days} prochains jours.`,
      nowhere: 'Choisissez où afficher le texte.',
      notCleared: 'Retirez le texte d’urgence avant de faire un essai.',
    },
  },
  preview: {
    title: 'Aperçu',
    heading: (profile) => `Aperçu\u202f: ${profile}`,
    profiles: 'Profils',
    highlighted: 'Surligné',
    notPublic: (profile) =>
      `ce que montrent les liens avec le profil ${profile} et que le public ne voit pas.`,
    notWith: (profile, lower) =>
      `ce que montrent les liens avec le profil ${profile}, mais pas les liens avec ${lower}.`,
    tags: {
      notPublic: 'non public',
      notWith: (profile) => `pas avec ${profile}`,
    },
    unavailable:
      'Non disponible\u202f: aucun lien n’utilise encore ce contenu, ou Feedhouse n’a pas encore lu le site Web.',
    nothing: 'Rien à afficher pour le moment.',
    noFeeds: 'Aucun contenu n’est public.',
  },
  followers: {
    title: 'Abonnés',
    heading: 'Abonnés par courriel',
    about:
      'Affichez ou supprimez ce qui est conservé au sujet d’une adresse de courriel, par exemple à la demande de la personne. La suppression met aussi fin aux courriels.',
    deleted: 'Toutes les données sur cette adresse ont été supprimées.',
    address: 'Adresse de courriel',
    find: 'Chercher',
    nothing: 'Rien n’est conservé au sujet de cette adresse.',
    stored: 'Données conservées sur cette adresse',
    delete: 'Supprimer toutes les données',
    unreadable: {
      title: 'Abonnés dont l’adresse est illisible',
      about: (count, shown) =>
        plural(count, {
          one: `${shown} personne ou appareil ne reçoit aucun message, car son adresse a été chiffrée avec une autre clé (MAIL_KEY ou mail.key). Utilisez la clé du moment de l’abonnement. Si elle est perdue, supprimez l’abonné et demandez aux gens de s’abonner de nouveau.`,
          other: `${shown} personnes ou appareils ne reçoivent aucun message, car leurs adresses ont été chiffrées avec une autre clé (MAIL_KEY ou mail.key). Utilisez la clé du moment de l’abonnement. Si elle est perdue, supprimez-les et demandez aux gens de s’abonner de nouveau.`,
        }),
      delete: 'Supprimer ces abonnés',
      deleted: 'Les abonnés dont l’adresse était illisible ont été supprimés.',
    },
  },
  invitations: {
    title: 'Invitations',
    heading: 'Inviter des membres par courriel',
    about:
      'Crée pour chaque membre un lien avec tout le contenu et l’envoie à l’adresse qui figure sur la liste des membres. Les membres qui ont déjà un lien ne sont pas invités de nouveau. Si un courriel a été refusé, corrigez l’adresse sur le site Web, retirez le lien et invitez le membre de nouveau.',
    load: 'Charger les membres du site Web',
    reload: 'Recharger les membres',
    language: 'Langue des courriels',
    notInvited: (count) => `Non invités (${count})`,
    send: 'Envoyer les invitations',
    allLinked: 'Tous les membres ont un lien.',
    linked: (count) => `Membres avec un lien (${count})`,
    columns: { member: 'Membre', email: 'Courriel', opened: 'Ouvert' },
    states: {
      linked: 'A un lien',
      waiting: 'Courriel en attente',
      sent: 'Courriel envoyé',
      bounced: 'Courriel refusé',
    },
    lastOpened: 'Dernière ouverture\u202f:',
    neverOpened: 'Jamais ouvert',
    invited: (count) =>
      `${plural(count, { one: `${count} membre invité`, other: `${count} membres invités` })}. Les courriels sont envoyés l’un après l’autre.`,
    skipped: (count) =>
      `${plural(count, { one: `${count} membre ignoré`, other: `${count} membres ignorés` })}, faute d’adresse de courriel utilisable ou parce qu’un lien existe déjà.`,
    member: (id) => `Membre ${id}`,
    faults: {
      notRead: 'Impossible de lire les membres du site Web. Réessayez plus tard.',
      noneChosen: 'Choisissez qui inviter.',
      tooManyFollowers: 'Aucun membre n’a été invité, car il y a trop d’abonnés.',
      'too many':
        'Le nombre maximal de liens d’abonnement est atteint; aucun membre n’a donc été invité.',
      'made already':
        'D’autres liens ont été créés au même moment. Vérifiez la liste et réessayez.',
      stopped: (count, wanted) =>
        plural(count, {
          one: `Seulement ${count} membre sur ${wanted} a été invité, car il y a trop d’abonnés.`,
          other: `Seulement ${count} membres sur ${wanted} ont été invités, car il y a trop d’abonnés.`,
        }),
    },
  },
  databases: {
    title: 'Bases de données',
    heading: 'Bases de données personnalisées',
    about:
      'Vous pouvez faire d’une base de données personnalisée du site Web un calendrier et un flux, pour les personnes dont le lien la comprend. Choisissez une base de données et les champs à montrer, puis enregistrez.',
    saved:
      'Vos changements sont enregistrés et s’appliquent en quelques secondes. Les liens d’abonnement montrent ce flux seulement s’ils le comprennent.',
    none: 'Le site Web n’a aucune base de données personnalisée.',
    untitled: (id) => `Base de données ${id}`,
    isFeed: (feed) => `publiée comme flux ${feed}`,
    recordTitle: 'Titre de chaque entrée, avec les champs entre accolades',
    fieldNames: 'Champs\u202f:',
    date: 'Date de chaque entrée',
    noDate: 'Aucune (flux seulement)',
    below: 'Sous le titre',
    choices: {
      none: 'Non affiché',
      all: 'Pour toutes les personnes qui ont un lien',
      full: 'Seulement avec le profil Complet',
    },
    id: 'Nom du flux dans les adresses (a à z et 0 à 9)',
    name: 'Titre du flux',
    showPreview: 'Afficher l’aperçu',
    preview: 'Aperçu',
    allArchived: 'Toutes les entrées de cette base de données sont archivées.',
    untitledRecord: 'Sans titre',
    save: 'Enregistrer',
    thenLink: (feed) => `Créez ensuite un lien d’abonnement qui comprend le flux ${feed}.`,
    asSetting: 'Comme paramètre',
    forSitesFile: 'Pour les paramètres de ce site dans le fichier des sites\u202f:',
    forEnvironment: 'Pour .env, à la place de tout autre DATABASE_FEEDS\u202f:',
    copy: 'Copier',
    theSetting: 'le paramètre',
    remove: 'Supprimer ce flux',
    faults: {
      damaged:
        'Les paramètres de cette page sont illisibles; aucun contenu n’est donc public. Enregistrez-les d’abord sous Paramètres.',
      notWritable:
        'Les titres et les noms ne peuvent pas contenir de guillemets, #, $, de barres obliques inverses, de points-virgules ni un mot suivi directement d’un deux-points et de texte.',
    },
  },
}
