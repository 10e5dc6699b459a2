import { pluralIn } from '../../../records/messages.ts'
import type { DoctorMessages } from './en.ts'

const plural = pluralIn('fr')

/** The end of a span is only a time if it is on the day of the start. */
const endIn = (to: string) => (to.includes(',') ? `le ${to}` : to)

export const french: DoctorMessages = {
  title: 'Applications qui utilisent ce lien',
  about: 'Leur dernière actualisation et leur accès à l’adresse.',
  areUnknown: 'Impossible d’afficher les actualisations pour le moment. Réessayez dans un instant.',
  noApps:
    'Aucune application n’a encore utilisé ce lien. Une fois l’abonnement ajouté, votre application s’affichera ici en moins d’une minute. Sinon, vérifiez l’adresse.',
  aboutTimes: (timeZone) =>
    `Une application affiche les changements seulement après s’être actualisée. Les heures sont celles du fuseau horaire ${timeZone}.`,
  late: 'En retard',
  ifStillUsed: 'Si vous l’utilisez encore',
  ifMissing: 'S’il manque des changements',
  lastRefreshed: (time) => `Dernière actualisation : ${time}.`,
  lastUsed: (time) => `Dernière utilisation : ${time}.`,
  isLate: (by) =>
    `L’application est en retard : elle aurait dû s’actualiser au plus tard le ${by}.`,
  hasStopped:
    'L’application a cessé de s’actualiser, probablement parce que l’abonnement y a été supprimé.',
  isDelayed: (by) =>
    `Actualisation attendue au plus tard le ${by}; un tel retard est encore normal.`,
  nextAround: (time) => `Prochaine actualisation : vers le ${time}.`,
  nextBy: (time) => `Prochaine actualisation : au plus tard le ${time}.`,
  nextBetween: (from, to) => `Prochaine actualisation : entre le ${from} et ${endIn(to)}.`,
  everyMinutes: (count) =>
    plural(count, {
      one: 'L’application s’actualise habituellement chaque minute.',
      other: `L’application s’actualise habituellement toutes les ${count} minutes environ.`,
    }),
  everyHours: (count) =>
    plural(count, {
      one: 'L’application s’actualise habituellement environ une fois l’heure.',
      other: `L’application s’actualise habituellement toutes les ${count} heures environ.`,
    }),
  everyDays: (count) =>
    plural(count, {
      one: 'L’application s’actualise habituellement environ une fois par jour.',
      other: `L’application s’actualise habituellement tous les ${count} jours environ.`,
    }),
  canReach: 'Les applications ont-elles accès à l’adresse?',
  isReachable:
    'Les serveurs de Google ont lu ce lien récemment : l’adresse est donc accessible à partir d’Internet.',
  aboutCheck:
    'Feedhouse peut ouvrir cette adresse comme le font les téléphones et les services de calendrier, et vérifier https, le certificat, les redirections, les pages de connexion, le contenu et sa taille.',
  check: 'Vérifier l’adresse',
  checkAgain: 'Vérifier de nouveau',
  isBusy: 'Beaucoup d’adresses sont en cours de vérification. Réessayez dans une minute.',
  canRead: 'Les applications peuvent lire cette adresse.',
  cannotRead: 'Certaines applications ne peuvent pas lire cette adresse.',
  checked: (moment) => `Vérification effectuée le ${moment}.`,
  states: { ok: 'OK', note: 'Remarque', fault: 'Problème' },
  titled: (title, problem) => `${title} : ${problem}`,
  passed: (count) => `Vérifications réussies (${count})`,
  fromOwnMachine:
    'Feedhouse a fait cette vérification à partir de son propre serveur. Un pare-feu peut tout de même bloquer les téléphones sur d’autres réseaux.',
  warnings: {
    machine:
      'Cette adresse fonctionne seulement sur cet ordinateur. Indiquez dans PUBLIC_URL l’adresse que les téléphones utilisent.',
    network:
      'Cette adresse fonctionne seulement sur votre propre réseau. Indiquez dans PUBLIC_URL l’adresse que les téléphones utilisent.',
    unencrypted:
      'Cette adresse n’est pas chiffrée : n’importe qui sur le réseau peut la lire, et certaines applications de calendrier la refusent. Placez un serveur mandataire https devant Feedhouse et indiquez l’adresse https dans PUBLIC_URL.',
  },
  apps: {
    Apple: {
      name: 'Calendrier Apple',
      habit:
        'Selon ses réglages, l’application s’actualise toutes les 15 minutes ou plus rarement, jusqu’à une fois par semaine.',
      steps: [
        'Sur iPhone ou iPad, ouvrez l’application Calendrier, touchez Calendriers et tirez la liste vers le bas. Tous les calendriers s’actualisent alors.',
        'Sur iPhone ou iPad, ouvrez Réglages › Apps › Calendrier › Comptes Calendrier › Nouvelles données (dans les versions antérieures : Réglages › Calendrier › Comptes), et choisissez Automatiquement ou toutes les 15 minutes.',
        'Sur Mac, ouvrez Calendrier et choisissez Présentation › Actualiser les calendriers. Pour une actualisation plus fréquente, sélectionnez le calendrier, ouvrez ses informations dans le menu Édition et changez l’actualisation automatique.',
      ],
    },
    Google: {
      name: 'Google Agenda',
      habit: 'L’application s’actualise toutes les 8 à 24 heures, sans réglage possible.',
      steps: [
        'Si possible, attendez une journée. Le bouton d’actualisation de Google Agenda n’actualise pas les calendriers ajoutés par abonnement.',
        'Si le changement est urgent, ouvrez calendar.google.com sur un ordinateur, désabonnez-vous dans les paramètres de l’agenda et ajoutez de nouveau l’adresse sous Autres agendas + › À partir de l’URL. Ajoutez ?again=1 à la fin de l’adresse pour que Google la considère comme nouvelle.',
        'Si le retard persiste, vérifiez l’adresse. Google garde l’ancien contenu et n’affiche aucun message s’il ne peut pas lire le calendrier.',
      ],
    },
    Outlook: {
      name: 'Outlook',
      habit:
        'Sur le Web, Outlook s’actualise environ toutes les 3 heures et parfois une seule fois par jour; sous Windows, au démarrage, puis toutes les 1 à 3 heures.',
      steps: [
        'Dans Outlook classique pour Windows, appuyez sur F9. Chaque calendrier s’actualise au plus une fois par heure, et seulement quand Outlook est ouvert.',
        'Outlook sur le Web et le nouvel Outlook n’ont pas de bouton pour cela. Supprimez le calendrier, puis ajoutez de nouveau son adresse, avec ?again=1 à la fin, sous Ajouter un calendrier › S’abonner à partir du web.',
      ],
    },
    Thunderbird: {
      name: 'Thunderbird',
      habit:
        'Thunderbird s’actualise toutes les 30 minutes quand il est ouvert, sauf si le calendrier est réglé autrement.',
      steps: [
        'Ouvrez Thunderbird, allez au calendrier et cliquez sur Synchroniser.',
        'Faites un clic droit sur le calendrier et ouvrez ses propriétés. Assurez-vous qu’il est activé, car Thunderbird désactive les calendriers après une erreur, et réglez la fréquence d’actualisation.',
      ],
    },
    Android: {
      name: 'Android (ICSx⁵ ou une application semblable)',
      habit: 'L’application s’actualise une fois par jour, sauf si elle est réglée autrement.',
      steps: [
        'Ouvrez ICSx⁵ et tirez la liste vers le bas. Tous ses calendriers s’actualisent alors.',
        'Ouvrez le menu d’ICSx⁵ et choisissez un intervalle de synchronisation plus court.',
        'Dans les paramètres d’Android, permettez à ICSx⁵ de fonctionner en arrière-plan : ouvrez ICSx⁵ dans la liste des applications et levez les restrictions de batterie.',
      ],
    },
    'other calendar': {
      name: 'Autre application de calendrier',
      habit:
        'Selon l’application, l’actualisation se fait toutes les heures ou plus rarement, jusqu’à une fois par semaine.',
      steps: [
        'Proton Calendar s’actualise toutes les 4 à 16 heures, Home Assistant une fois par jour, et Nextcloud selon le choix de son administrateur, au moins une fois par semaine. Si possible, attendez ce délai.',
        'Fastmail s’arrête après cinq échecs de suite : réactivez le calendrier dans les réglages des calendriers.',
        'Sinon, supprimez le calendrier de l’application et ajoutez de nouveau son adresse.',
      ],
    },
    reader: {
      name: 'Lecteur de flux',
      habit: 'Le lecteur s’actualise toutes les 15 à 60 minutes.',
      steps: [
        'Actualisez le flux dans le lecteur. Les lecteurs installés sur un téléphone ou un ordinateur s’actualisent seulement quand ils sont ouverts.',
        'Dans la liste des flux du lecteur, vérifiez si une erreur est signalée, car beaucoup de lecteurs s’arrêtent après plusieurs erreurs. Supprimez ensuite le flux et ajoutez-le de nouveau.',
      ],
    },
    screen: {
      name: 'Écran',
      habit:
        'Selon ses réglages, l’écran s’actualise à quelques minutes d’intervalle ou plus rarement, jusqu’à une fois par jour.',
      steps: [
        'Assurez-vous que l’écran est allumé et connecté au réseau, puis redémarrez son lecteur.',
        'Dans les réglages du lecteur, choisissez la fréquence d’actualisation. Dans Xibo, c’est l’intervalle de mise à jour du widget.',
      ],
    },
    other: { name: 'Navigateur ou programme inconnu', habit: '', steps: [] },
  },
}
