import type { RecordMessages } from './en.ts'

export const spanish: RecordMessages = {
  yesterday: 'Ayer',
  today: 'Hoy',
  tomorrow: 'Mañana',
  noon: 'mediodía',
  midnight: 'medianoche',
  allDay: 'Todo el día',
  inProgress: 'En curso',
  inDays: (days) => `En ${days} días`,
  untilToday: 'último día',
  untilTomorrow: 'hasta mañana',
  untilDate: (date) => `hasta el ${date}`,
  untilClock(clock) {
    if (!/^\d/.test(clock)) return `hasta la ${clock}`.replace('la mediodía', 'el mediodía')
    return /^1\b/.test(clock) ? `hasta la ${clock}` : `hasta las ${clock}`
  },
  certification: {
    unnamed: 'Una certificación',
    status: 'Estado en el sitio web',
    states: {
      pending: 'Pendiente',
      active: 'Vigente',
      'expiring soon': 'Por vencer',
      expired: 'Vencida',
    },
  },
}
