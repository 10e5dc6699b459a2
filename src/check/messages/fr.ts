import { pluralIn } from '../../records/messages.ts'
import type { CheckMessages } from './en.ts'

const plural = pluralIn('fr')
const renew = 'renouvelez-le dans le serveur mandataire.'

export const french: CheckMessages = {
  theAddress: 'l’adresse',
  unreachable: (url, code, why) =>
    code === ''
      ? `${url} n’est pas accessible à partir de cet ordinateur : ${why}`
      : `${url} n’est pas accessible à partir de cet ordinateur (${code}) : ${why}`,
  interrupted: 'la connexion a été interrompue.',
  reasons: (name) => ({
    'name unknown': `le nom d’hôte n’existe pas; vérifiez le nom dans ${name} et son enregistrement DNS.`,
    'name server': `le nom d’hôte ne peut pas être résolu pour le moment; vérifiez le nom dans ${name} et son enregistrement DNS.`,
    refused: `rien ne répond sur son port; démarrez le serveur mandataire et vérifiez le port dans ${name}.`,
    'no route': 'aucune route n’y mène; vérifiez l’enregistrement DNS et le réseau.',
    'no answer': 'il ne répond pas; ouvrez le port dans le pare-feu et le routeur.',
    'certificate expired': `son certificat a expiré; ${renew}`,
    'certificate not yet valid':
      'son certificat n’est pas encore valide; vérifiez l’horloge de cet ordinateur.',
    'certificate self-signed': `son certificat est autosigné, ce que les téléphones refusent; ${renew}`,
    'certificate from an unknown authority':
      'les téléphones ne font pas confiance à son certificat; configurez le serveur mandataire pour qu’il envoie les certificats intermédiaires, ou obtenez un certificat d’une autorité publique.',
    'certificate of another host': `son certificat est pour un autre nom d’hôte; vérifiez le nom dans ${name} et son enregistrement DNS.`,
    'no TLS': `il n’utilise pas https à cet endroit; configurez https dans le serveur mandataire et vérifiez le port dans ${name}.`,
  }),
  notEncrypted:
    'L’adresse n’est pas chiffrée : n’importe qui sur le réseau peut la lire, et certaines applications la refusent. Placez un serveur mandataire https devant le serveur et utilisez l’adresse https.',
  encrypted: 'L’adresse utilise https.',
  expires: (day) =>
    `Le certificat expire le ${day}. Vérifiez pourquoi il n’a pas encore été renouvelé.`,
  trusted: (day) =>
    `Le certificat est fiable, correspond au nom d’hôte et est valide jusqu’au ${day}.`,
  upgrades:
    'L’adresse http redirige vers https, et la plupart des applications suivent cette redirection. Donnez plutôt l’adresse https.',
  doesNotRedirect: 'L’adresse n’est pas redirigée.',
  redirectsToItself:
    'L’adresse redirige vers elle-même ou vers une adresse non valide. Corrigez le serveur mandataire.',
  redirectsToHttps: 'L’adresse redirige vers https. Utilisez l’adresse https.',
  redirects: (target) =>
    `L’adresse redirige vers ${target}. Certaines applications ne suivent pas cette redirection, et les iPhone n’importent alors le calendrier qu’une seule fois. Utilisez l’adresse finale ou, s’il s’agit d’une page de connexion, excluez-en les calendriers et les flux.`,
  validatorMissing: (header) =>
    `${header} est absent; les applications rechargent donc tout chaque fois. Configurez le serveur mandataire pour qu’il transmette ETag, Last-Modified et If-None-Match sans les modifier.`,
  sentAgain: (status, header) =>
    `Un contenu inchangé est renvoyé (${status}) malgré ${header}; les applications rechargent donc tout chaque fois. Configurez le serveur mandataire pour qu’il transmette ETag, Last-Modified et If-None-Match sans les modifier.`,
  secondFailed:
    'Une deuxième demande a échoué; le serveur n’est donc pas toujours accessible. Vérifiez son journal.',
  notSentAgain: 'Un contenu inchangé n’est pas renvoyé (304).',
  portRedirects:
    'Le port 80 redirige vers https; les boutons webcal: fonctionnent donc dans toutes les applications.',
  portDoesNotRedirect: (port) =>
    `Le port ${port} ne redirige pas vers https. Certaines applications, comme Thunderbird, y ouvrent les adresses webcal:. Configurez le serveur mandataire pour qu’il redirige http vers https.`,
  portDoesNotRespond: (port) =>
    `Le port ${port} ne répond pas. Certaines applications, comme Thunderbird, y ouvrent les adresses webcal:. Ouvrez le port et redirigez http vers https.`,
  password:
    'L’adresse demande un mot de passe, que les applications de calendrier ne peuvent pas saisir. Désactivez-le dans le serveur mandataire pour les calendriers et les flux; les liens protègent déjà le contenu privé.',
  refusingPage:
    'L’adresse répond par une page Web qui refuse l’accès, comme une vérification du navigateur. Excluez-en les calendriers et les flux, car les applications ne peuvent pas la franchir.',
  statuses: {
    404: 'Il n’y a rien à cette adresse (404). Vérifiez qu’elle est complète et à jour.',
    410: 'L’adresse n’est plus disponible (410), par exemple parce que le lien a été retiré.',
    429: 'Le serveur limite les demandes (429). Attendez une minute, puis vérifiez de nouveau.',
  },
  serverFails: (status) =>
    `Le serveur répond par ${status}. Feedhouse est en train de démarrer ou est en panne, ou le serveur mandataire n’y a pas accès. Vérifiez les journaux des deux.`,
  otherStatus: (status) =>
    `Le serveur répond par ${status} au lieu de 200. Configurez le serveur mandataire pour qu’il transmette le contenu sans le modifier.`,
  tooLarge: (kilobytes, googleKilobytes) =>
    `La réponse dépasse ${kilobytes} ko; le reste n’a donc pas été lu. Google échoue au-delà de ${googleKilobytes} ko. Choisissez moins de calendriers ou moins de jours.`,
  notDecompressed:
    'Impossible de décompresser la réponse. Désactivez la compression dans le serveur mandataire; Feedhouse compresse déjà le contenu.',
  webPage: 'une page Web',
  webPageCalled: (title) => `la page Web « ${title} »`,
  pageWithPassword: (page) =>
    `L’adresse affiche ${page}, qui demande un mot de passe. Excluez-en les calendriers et les flux, car les applications de calendrier ne peuvent pas se connecter.`,
  pageInsteadOfFeed: (page) =>
    `L’adresse affiche ${page} au lieu d’un calendrier ou d’un flux, par exemple une page de connexion ou une vérification du navigateur. Utilisez l’adresse d’un calendrier ou d’un flux, ou excluez-les de cette page.`,
  pageWithoutFeeds: (page) =>
    `L’adresse affiche ${page}, qui n’indique aucun calendrier ni flux. S’il ne s’agit pas d’une page de connexion, utilisez l’adresse de l’un d’eux.`,
  pageWithFeeds: (page, feeds) =>
    plural(feeds, {
      one: `L’adresse affiche ${page}, qui indique ${feeds} calendrier ou flux.`,
      other: `L’adresse affiche ${page}, qui indique ${feeds} calendriers ou flux.`,
    }),
  unknownContent:
    'La réponse n’est ni un calendrier ni un flux. Vérifiez l’adresse et le serveur mandataire.',
  kinds: { calendar: 'calendrier', RSS: 'flux RSS', Atom: 'flux Atom', 'JSON Feed': 'JSON Feed' },
  complete: (kind, entries) =>
    plural(entries, {
      one: `La réponse est complète : ${kind} avec ${entries} élément.`,
      other: `La réponse est complète : ${kind} avec ${entries} éléments.`,
    }),
  damaged: (kind, reason) =>
    `Contenu endommagé (${kind}) : ${reason}. Vérifiez si un serveur mandataire le modifie.`,
  damages: {
    byteOrderMark:
      'il commence par un indicateur d’ordre des octets, que plusieurs applications refusent',
    notAProperty: (line) => `la ligne ${line} n’est pas une propriété de calendrier`,
    continues: 'il continue après END:VCALENDAR',
    notOpen: (line) => `la ligne ${line} ferme un composant qui n’est pas ouvert`,
    noUid: 'une entrée n’a pas d’UID',
    sameUid: 'deux entrées ont le même UID; les applications n’en affichent donc qu’une',
    isCutOff: (component) => `END:${component} est absent; le contenu est donc incomplet`,
    noVersion: 'VERSION:2.0 est absent',
    invalidJson: 'ce n’est pas du JSON valide',
    notClosed: (element) => `l’élément <${element}> n’est pas fermé`,
  },
  type: (name) => `Le type de contenu est ${name}.`,
  wrongType: (name, expected) =>
    `Le type de contenu est ${name} au lieu de ${expected}. Configurez le serveur mandataire pour qu’il ne le modifie pas.`,
  noType: (expected) =>
    `Le type de contenu est absent; il devrait être ${expected}. Configurez le serveur mandataire pour qu’il ne le modifie pas.`,
  size: (kilobytes) => `La taille est de ${kilobytes} ko.`,
  sizeTooLargeForGoogle: (kilobytes, googleKilobytes) =>
    `La taille est de ${kilobytes} ko. Google Agenda échoue au-delà d’environ ${googleKilobytes} ko. Choisissez moins de calendriers ou moins de jours.`,
  sizeLarge: (kilobytes) =>
    `La taille est de ${kilobytes} ko. Affichez moins d’éléments, ou des résumés au lieu du texte intégral.`,
  fast: 'La réponse a pris moins de 0,1 seconde.',
  took: (seconds) => `Temps de réponse : ${seconds} s.`,
  slow: (seconds) =>
    `Temps de réponse : ${seconds} s. Pendant ce temps, les iPhone n’affichent rien, et le bouton semble ne pas fonctionner.`,
  tooSlow: (seconds) =>
    `Temps de réponse : ${seconds} s, un délai après lequel les applications abandonnent. Vérifiez la charge et le réseau du serveur.`,
  compressed: (coding) => `La réponse est compressée avec ${coding}.`,
  notCompressed:
    'La réponse n’est pas compressée. Configurez le serveur mandataire pour qu’il transmette Accept-Encoding.',
  maybeCached:
    'Cache-Control ne contient pas « private »; des caches partagés peuvent donc conserver ce contenu privé. Configurez le serveur mandataire pour qu’il ne modifie pas l’en-tête.',
  isPrivate:
    'Les caches partagés ne conservent pas ce contenu, et les moteurs de recherche ne l’affichent pas.',
  maybeListed:
    'X-Robots-Tag ne contient pas « noindex »; des moteurs de recherche peuvent donc afficher cette adresse privée. Configurez le serveur mandataire pour qu’il ne modifie pas l’en-tête.',
  noEffect: (name, suggestion) =>
    suggestion === undefined
      ? `Le paramètre « ${name} » de l’adresse n’a aucun effet.`
      : `Le paramètre « ${name} » de l’adresse n’a aucun effet. Vouliez-vous dire « ${suggestion} »?`,
}
