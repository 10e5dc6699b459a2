import type { DateMessages } from './en.ts'

export const french: DateMessages = {
  yesterday: 'Hier',
  today: 'Aujourd’hui',
  tomorrow: 'Demain',
  noon: 'midi',
  midnight: 'minuit',
  allDay: 'Toute la journée',
  inProgress: 'En cours',
  inDays: (days) => `Dans ${days} jours`,
  untilToday: 'jusqu’à aujourd’hui',
  untilTomorrow: 'jusqu’à demain',
  untilDate: (date) => `jusqu’au ${date}`,
  untilClock: (clock) => `jusqu’à ${clock}`,
}
