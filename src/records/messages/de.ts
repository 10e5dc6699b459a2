import type { DateMessages } from './en.ts'

export const german: DateMessages = {
  yesterday: 'Gestern',
  today: 'Heute',
  tomorrow: 'Morgen',
  noon: '12:00',
  midnight: 'Mitternacht',
  allDay: 'Ganztägig',
  inProgress: 'Läuft gerade',
  inDays: (days) => `In ${days} Tagen`,
  untilToday: 'bis heute',
  untilTomorrow: 'bis morgen',
  untilDate: (date) => `bis ${date}`,
  untilClock: (clock) => `bis ${clock}`,
}
