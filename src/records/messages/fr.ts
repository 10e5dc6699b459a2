import type { RecordMessages } from './en.ts'

export const french: RecordMessages = {
  yesterday: 'Hier',
  today: 'Aujourd’hui',
  tomorrow: 'Demain',
  noon: 'midi',
  midnight: 'minuit',
  allDay: 'Toute la journée',
  inProgress: 'En cours',
  inDays: (days) => `Dans ${days} jours`,
  untilToday: 'dernier jour',
  untilTomorrow: 'jusqu’à demain',
  untilDate: (date) => `jusqu’au ${date}`,
  untilClock: (clock) => `jusqu’à ${clock}`,
  certification: {
    unnamed: 'Une certification',
    status: 'État sur le site Web',
    states: {
      pending: 'En attente',
      active: 'Valide',
      'expiring soon': 'Expire bientôt',
      expired: 'Expirée',
    },
  },
}
