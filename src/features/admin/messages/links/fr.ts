import { pluralIn } from '../../../../records/messages.ts'
import type { LinkMessages } from './en.ts'

const plural = pluralIn('fr')

export const french: LinkMessages = {
  all: 'Tous les liens d’abonnement',
  title: 'Liens d’abonnement',
  about:
    'Chaque lien ouvre une page privée avec des calendriers et des nouvelles. Créez-en un pour chaque membre, officier ou écran\u202f: vous pourrez ainsi les retirer séparément.',
  health: {
    starting: 'Démarrage en cours.',
    good: 'Tout va bien.',
    bad: (count) =>
      plural(count, {
        one: 'Un avis demande votre attention.',
        other: `${count} avis demandent votre attention.`,
      }),
    notes: (count) =>
      plural(count, { one: 'Il y a une remarque.', other: `Il y a ${count} remarques.` }),
  },
  list: {
    label: 'Liens',
    new: 'Nouveau lien',
    poster: 'Affiche',
    posterUse: 'pour le contenu public',
    fromList: 'Liens à partir d’une liste',
    invite: 'Inviter des membres',
    changed: {
      saved: 'Vos changements sont enregistrés.',
      paused: 'Le lien est en pause.',
      resumed: 'Le lien fonctionne de nouveau.',
      revoked: 'Le lien est retiré.',
    },
    unavailable:
      'Impossible d’afficher les liens pour le moment. Les liens existants fonctionnent toujours.',
    none: 'Aucun lien pour le moment.',
    firstSteps: (settings) =>
      `Choisissez d’abord le nom, la couleur, le logo et le contenu public sous ${settings('Paramètres')}. Créez ensuite un lien pour vous-même et ouvrez-le sur votre téléphone pour voir ce que les membres verront.`,
    search: 'Rechercher',
    sortBy: 'Trier par',
    sorts: {
      newest: 'Les plus récents d’abord',
      name: 'Nom',
      used: 'Utilisation la plus récente d’abord',
      expires: 'Expiration la plus proche d’abord',
    },
    show: 'Afficher',
    matching: (count, shown) =>
      plural(count, { one: '1 lien correspond.', other: `${shown} liens correspondent.` }),
    showAll: (count) => `Tout afficher (${count})`,
    ended: (count) => `Liens terminés (${count})`,
    endedOnPage: (count) => `Liens terminés (${count} sur cette page)`,
    pages: 'Pages de liens',
    page: (page, count) => `Page ${page} de ${count}`,
    previous: 'Page précédente',
    next: 'Page suivante',
    lost: 'Adresse perdue? L’adresse et son code QR ne peuvent pas être affichés de nouveau, car Feedhouse ne conserve pas l’adresse. Renouvelez le lien pour obtenir une nouvelle adresse.',
    for: 'Pour',
    shows: 'Contenu',
    lastReadBy: 'Dernières lectures',
    state: 'État',
    late: 'en retard',
    moreReaders: (count) =>
      plural(count, { one: `et ${count} autre`, other: `et ${count} autres` }),
    neverUsed: 'Jamais utilisé',
    details: 'Détails',
    edit: 'Modifier',
    renew: 'Renouveler',
  },
  created: (day) => `Créé le ${day}`,
  createdFor: (day, member) => `Créé le ${day}, pour ${member}`,
  member: (id) => `le membre ${id}`,
  profiles: { public: 'Public', members: 'Membres', full: 'Complet' },
  profileTexts: {
    public: 'Tout ce que n’importe qui peut lire sans lien.',
    members:
      'Tout ce que les membres peuvent voir, y compris les personnes-ressources des événements, mais sans les noms des personnes qui louent ou s’inscrivent.',
    full: 'Tout, y compris les noms des personnes qui louent ou s’inscrivent, et ce qui n’est pas publié.',
  },
  allFeeds: 'Tout le contenu',
  states: {
    revoked: 'Retiré',
    paused: 'En pause',
    expired: 'Expiré',
    old: 'Ancienne adresse',
    works: 'Fonctionne',
    since: (day) => `depuis le ${day}`,
    until: (day) => `jusqu’au ${day}`,
  },
  apps: {
    'other calendar': 'Autre calendrier',
    reader: 'Lecteur de flux',
    screen: 'Écran',
    other: 'Navigateur ou autre',
  },
  fields: {
    label: 'Pour qui ou pour quoi, par exemple\u202f: Cap. Reyes ou Écran de la salle',
    profile: 'Ce que le lien montre',
    feeds: 'Contenu',
    allFeeds: 'Tout le contenu, y compris à venir',
    allExceptSensitive: 'Tout le contenu, y compris à venir, sauf le contenu confidentiel',
    onlyThese: 'Seulement ce qui suit\u202f:',
    sensitive: 'Confidentiel\u202f:',
    members: 'Membres\u202f: téléphones et adresses (exige Complet)',
    expires: 'Dernier jour (laissez vide pour un lien sans expiration)',
    member:
      'Membre du site Web à qui le lien est destiné (facultatif)\u202f: la page l’accueille par son nom et montre ses propres quarts',
    memberId:
      'ID du membre du site Web à qui le lien est destiné (facultatif)\u202f: la page l’accueille par son nom et montre ses propres quarts',
    noMember: 'Personne en particulier',
    unknownMember: (id) => `Aucun membre actuel (${id})`,
    loadMembers: 'Charger les membres du site Web',
    reloadMembers: 'Recharger les membres',
    create: 'Créer le lien',
    createMany: 'Créer les liens',
    save: 'Enregistrer',
    cancel: 'Annuler',
  },
  faults: {
    id: 'Rechargez la page d’administration.',
    label: (max) => `Indiquez pour qui ou pour quoi est le lien, en au plus ${max} caractères.`,
    member: 'Indiquez l’ID d’un membre du site Web, par exemple 12, ou laissez le champ vide.',
    profile: 'Choisissez un profil.',
    feeds:
      'Choisissez tout le contenu, ou «\u202fSeulement ce qui suit\u202f» et au moins un élément.',
    expires: 'Choisissez aujourd’hui ou une date ultérieure comme dernier jour.',
    overlap: 'Choisissez combien de temps l’ancienne adresse fonctionnera encore.',
    noMembers: {
      'not allowed':
        'L’API Project n’a pas le droit de lire les membres. Accordez ce droit sur le site Web ou indiquez l’ID du membre.',
      'not read yet':
        'Impossible de lire les membres du site Web. Réessayez plus tard ou indiquez l’ID du membre.',
    },
    notAdded: {
      'too many':
        'Le nombre maximal de liens d’abonnement est atteint. Retirez ceux qui ne servent plus.',
      'made already':
        'Ce lien a déjà été créé, et son adresse a été affichée une fois. Si vous l’avez perdue, retirez le lien et créez-en un autre.',
    },
    listNotAdded: {
      'too many':
        'Le nombre maximal de liens d’abonnement serait dépassé; aucun lien n’a donc été créé. Retirez ceux qui ne servent plus ou raccourcissez la liste.',
      'made already':
        'Ces liens ont déjà été créés, et leurs adresses ont été affichées une fois. Si vous les avez perdues, retirez les liens et créez-en d’autres.',
    },
    notEdited: {
      revoked: 'Entre-temps, ce lien a été retiré; rien n’a été enregistré. Créez un nouveau lien.',
      'changed meanwhile':
        'Une autre personne a modifié ce lien depuis que vous avez ouvert cette page; rien n’a été enregistré. Ses propriétés actuelles sont ci-dessus et vos changements, ci-dessous. Enregistrez de nouveau pour remplacer les propriétés actuelles.',
    },
    notRenewed: {
      revoked:
        'Entre-temps, ce lien a été retiré; il n’a pas été renouvelé. Créez un nouveau lien.',
      'changed meanwhile':
        'Ce lien a été modifié ou renouvelé depuis que vous avez ouvert cette page; il n’a pas été renouvelé. Si la nouvelle adresse est perdue, renouvelez le lien encore une fois.',
    },
  },
  memberFaults: {
    'not read':
      'Les membres du site Web n’ont pas encore été lus; my.ics ne contient donc aucun événement personnel.',
    'not allowed':
      'L’API Project n’a pas le droit de lire les membres; my.ics ne contient donc aucun événement personnel. Le reste ne change pas. Demandez à un gestionnaire du site Web d’autoriser le point d’accès members dans la zone des membres (Members Area), sous Manage > API.',
    'not listed':
      'Le membre ne figure pas sur la liste du site Web; my.ics ne contient donc aucun événement personnel. Le reste ne change pas. Si la personne est partie, retirez le lien. Sinon, choisissez un autre membre.',
    'incomplete name':
      'Il manque au membre un prénom ou un nom sur le site Web; my.ics ne peut donc pas montrer ses inscriptions. Les certifications ne sont pas touchées. Complétez le nom sur le site Web.',
    'shared name':
      'Un autre membre porte les mêmes prénom et nom, et les feuilles d’inscription n’ont pas d’ID de membre; my.ics ne montre donc aucune inscription. Les certifications ne sont pas touchées. Distinguez les noms sur le site Web, par exemple en ajoutant un deuxième prénom.',
  },
  membersTexts: {
    fault:
      'La liste des membres exige le profil Complet. Choisissez ce profil ou retirez les membres.',
    warning:
      'Ce lien contient les numéros de téléphone, les courriels et les adresses postales de tous les membres. Toute personne qui a son adresse peut les lire; ne la donnez qu’à des personnes autorisées.',
  },
  new: {
    title: 'Nouveau lien d’abonnement',
    about:
      'Une page privée avec des calendriers et des nouvelles, pour une personne ou un écran. Il faut en connaître l’adresse pour l’ouvrir.',
    linkFor: (label) => `Lien pour ${label}`,
    access: (feeds, profile) =>
      `Copiez, envoyez ou imprimez l’adresse maintenant\u202f: elle n’est affichée qu’une fois. Avec le profil «\u202f${profile}\u202f», elle donne accès à ce qui suit\u202f: ${feeds}.`,
    accessUntil: (feeds, profile, day) =>
      `Copiez, envoyez ou imprimez l’adresse maintenant\u202f: elle n’est affichée qu’une fois. Avec le profil «\u202f${profile}\u202f», jusqu’au ${day}, elle donne accès à ce qui suit\u202f: ${feeds}.`,
    allFeeds: 'tout le contenu',
    replaces: (day) =>
      `Elle remplace l’ancienne adresse, qui fonctionne jusqu’au ${day}. D’ici là, donnez la nouvelle à toutes les personnes qui utilisent l’ancienne.`,
    address: 'Adresse',
    copy: 'Copier',
    print: 'Imprimer la carte',
    open: 'Ouvrir le lien',
    setUpScreen: 'Configurer un écran',
  },
  cards: {
    title: 'Cartes',
    newLinks: (count) =>
      plural(count, { one: 'Un nouveau lien', other: `${count} nouveaux liens` }),
    about:
      'Imprimez ou enregistrez ces cartes maintenant\u202f: les adresses ne sont affichées qu’une fois. Choisissez ci-dessous un format pour papier A4 ou Lettre.',
    print: 'Imprimer les cartes',
    size: 'Format',
    business: 'Cartes professionnelles, huit par feuille',
    postcards: 'Cartes postales (A6), quatre par feuille',
  },
  edit: {
    id: (id) => `ID ${id}`,
    isRevoked: 'Un lien retiré ne peut pas être modifié. Créez-en un nouveau.',
    properties: 'Propriétés',
    about:
      'Les changements s’appliquent en quelques secondes. L’adresse reste la même\u202f: les abonnements existants suivent.',
    apps: 'Applications qui l’utilisent',
    chart: 'Applications pour chacun des 30 derniers jours',
    lastUsed: (time, app) => `Dernière utilisation\u202f: ${time} (${app}).`,
    unused: 'Aucune application n’a encore lu ce lien.',
    address: 'Adresse et code QR',
    aboutAddress:
      'L’adresse et son code QR ne peuvent pas être affichés de nouveau, car Feedhouse ne conserve pas l’adresse. Ainsi, une copie volée de ses données ne donne aucun accès. Pour obtenir une nouvelle adresse avec les mêmes propriétés, renouvelez le lien.',
    overlap: 'L’ancienne adresse fonctionne encore pendant',
    days: (count) => plural(count, { one: '1 jour', other: `${count} jours` }),
    lastDay: 'Dernier jour de la nouvelle adresse (facultatif)',
    renew: 'Renouveler le lien',
    resume: {
      title: 'Réactiver',
      about: 'Toutes les personnes qui utilisent ce lien voient de nouveau son contenu.',
      button: 'Réactiver le lien',
    },
    pause: {
      title: 'Mettre en pause',
      about:
        'Tant que vous n’aurez pas réactivé le lien, les personnes qui l’utilisent ne verront qu’un avis. Elles conservent leurs abonnements.',
      button: 'Mettre le lien en pause',
    },
    revoke: {
      title: 'Retirer',
      summary: 'Retirer le lien',
      about:
        'Le lien cesse de fonctionner en quelques secondes. Cette action est irréversible. Pendant 14 jours, les abonnés voient un avis.',
      button: 'Retirer maintenant',
    },
  },
  import: {
    title: 'Nouveaux liens d’abonnement',
    heading: 'Nouveaux liens d’abonnement à partir d’une liste',
    about:
      'Crée un lien pour chaque ligne et affiche une feuille de cartes à imprimer. Les adresses ne sont affichées qu’une fois.',
    moreProblems: (count) =>
      plural(count, {
        one: 'La liste contient 1 autre problème.',
        other: `La liste contient ${count} autres problèmes.`,
      }),
    noneCreated: 'Aucun lien n’a été créé.',
    names: (max, columns) =>
      `Noms, un par ligne, au plus ${max}. Les autres colonnes sont facultatives\u202f: ${columns}`,
    example: (columns) =>
      `${columns}\nCap. Reyes,full\nÉcran de la salle,members,calendar rental,2027-06-30`,
    file: 'Ou un fichier CSV, qui remplace les noms ci-dessus',
    defaults:
      'Ces valeurs s’appliquent aux lignes dont la colonne est vide. Dans la colonne «\u202fmember\u202f», indiquez un ID, ou un nom une fois les membres chargés.',
    defaultsWithMembers:
      'Ces valeurs s’appliquent aux lignes dont la colonne est vide. Dans la colonne «\u202fmember\u202f», indiquez un ID ou un nom.',
    faults: {
      row: (row, fault) => `Ligne ${row}\u202f: ${fault}`,
      encoding:
        'Le fichier n’est pas en UTF-8; certaines lettres sont donc illisibles. Dans Excel, enregistrez-le en «\u202fCSV UTF-8\u202f».',
      empty: 'Indiquez ou choisissez une liste de noms.',
      onlyHeader: 'La liste ne contient aucun nom sous son en-tête.',
      tooMany: (rows, max) =>
        `La liste a ${rows} lignes, et le maximum est ${max}. Divisez-la en plusieurs listes.`,
      repeatedName: (name, row) =>
        `Le nom «\u202f${name}\u202f» figure aussi à la ligne ${row}. Ajoutez quelque chose qui distingue les deux liens.`,
      semicolons: 'Séparez les colonnes par des virgules, et non par des points-virgules.',
      unknownColumn: (column, columns) =>
        `La colonne «\u202f${column}\u202f» est inconnue. Les colonnes sont ${columns}.`,
      repeatedColumn: (column, columns) =>
        `La colonne «\u202f${column}\u202f» figure deux fois. Les colonnes sont ${columns}.`,
      tooManyCells: (max) =>
        `Il y a plus de ${max} cellules. Une cellule qui contient une virgule doit être entre guillemets.`,
      name: (max) => `Indiquez un nom d’au plus ${max} caractères.`,
      profile: (text, [members, full]) =>
        `Le profil «\u202f${text}\u202f» est inconnu. Utilisez ${members} ou ${full}. Une cellule qui contient une virgule doit être entre guillemets.`,
      feed: (id, known) =>
        `«\u202f${id}\u202f» est inconnu. Utilisez all ou certains de ceux-ci\u202f: ${known}.`,
      expires: (text) =>
        `«\u202f${text}\u202f» ne peut pas être le dernier jour. Utilisez aujourd’hui ou une date ultérieure, comme 2027-06-30, ou never.`,
      memberId: (text) =>
        `«\u202f${text}\u202f» n’est pas l’ID d’un membre. Chargez les membres pour utiliser leurs noms.`,
      noMember: (text) => `Le site Web n’a aucun membre «\u202f${text}\u202f».`,
      severalMembers: (text, ids) =>
        `Plusieurs membres s’appellent «\u202f${text}\u202f». Utilisez un de leurs ID\u202f: ${ids}.`,
      textAfterQuote:
        'Du texte suit un guillemet. Doublez chaque guillemet à l’intérieur d’une cellule.',
      unclosedQuote: 'Il manque le guillemet fermant d’une cellule.',
    },
  },
}
