import type { FollowTexts } from './en.ts'

export const french: FollowTexts = {
  confirm: {
    title: (site) => `Veuillez confirmer\u202f: courriels de ${site}`,
    asked: (site) =>
      `Quelqu’un, sans doute vous, a demandé que les courriels de ${site} soient envoyés à cette adresse\u202f:`,
    button: 'Confirmer',
    otherwise:
      'Le bouton ouvre une page où vous confirmez. Il fonctionne pendant trois jours. Si vous n’avez rien demandé, ignorez ce courriel. Vous ne recevrez rien d’autre, et nous supprimerons votre adresse.',
  },
  invite: {
    title: (site) => `Votre calendrier et vos nouvelles de ${site}`,
    text: (site) =>
      `${site} a préparé une page pour vous, avec son calendrier et ses nouvelles. De là, vous pouvez tout ajouter au calendrier de votre téléphone.`,
    button: 'Ouvrir votre page',
    private: 'Cette page est réservée à vous seul. Veuillez ne pas transférer ce courriel.',
  },
  renewal: {
    title: (site) => `Voulez-vous toujours recevoir les courriels de ${site}?`,
    asked: (site) =>
      `Vous recevez les courriels de ${site} à cette adresse. Pour continuer à les recevoir, veuillez confirmer dans les 30 jours\u202f:`,
    button: 'Continuer à recevoir les courriels',
    otherwise:
      'Sinon, vous n’avez rien à faire. Les courriels cesseront, et nous supprimerons votre adresse.',
  },
  welcome: {
    title: 'Les notifications sont activées',
    text: (site) =>
      `Vous recevrez les notifications de ${site} sur cet appareil. Vous pouvez les désactiver sur la même page.`,
  },
  weekly: {
    title: (highlight) => `Cette semaine\u202f: ${highlight}`,
    on: (title, weekday) => `${title}, ${weekday}`,
    next: (title, day) => `À venir\u202f: ${title}, ${day}`,
    expiring: 'Certifications qui expirent',
    nothing: 'Rien n’est prévu dans les sept prochains jours.',
  },
  tomorrow: {
    title: (titles) => `Demain\u202f: ${titles}`,
    own: (title, clock) =>
      clock === ''
        ? `Pour vous demain\u202f: ${title}`
        : `Pour vous demain à ${clock}\u202f: ${title}`,
  },
  emergency: {
    until: (when) => `Jusqu’au ${when}`,
  },
  calendar: 'Calendrier complet',
  add: 'Ajouter au calendrier',
  rest: 'La suite se trouve sur le site Web',
  footer: {
    reason: (site) =>
      `Vous recevez ce courriel parce que vous avez demandé à recevoir les courriels de ${site}.`,
    confirmReason: (site) =>
      `Vous recevez ce courriel parce que quelqu’un a saisi votre adresse sur une page de ${site}.`,
    inviteReason: (site) =>
      `Vous recevez ce courriel parce que votre adresse figure sur la liste des membres de ${site}.`,
    manage: 'Modifier vos choix',
    end: 'Se désabonner',
  },
}
