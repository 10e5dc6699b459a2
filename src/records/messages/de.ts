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
  untilToday: 'letzter Tag',
  untilTomorrow: 'bis morgen',
  untilDate: (date) => `bis ${date}`,
  untilClock(clock) {
    const [, hour, minutes] = /^0?(\d+):(\d\d)$/.exec(clock) ?? []
    if (hour === undefined) return `bis ${clock}`
    return minutes === '00' ? `bis ${hour} Uhr` : `bis ${hour}:${minutes} Uhr`
  },
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
