import type { RecordMessages } from './en.ts'

export const german: RecordMessages = {
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
  certification: {
    unnamed: 'Ein Zertifikat',
    status: 'Status auf der Website',
    states: {
      pending: 'Ausstehend',
      active: 'Gültig',
      'expiring soon': 'Läuft bald ab',
      expired: 'Abgelaufen',
    },
  },
}
