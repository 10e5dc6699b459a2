export type DateMessages = typeof english

/** Texts about days and times. */
export const english = {
  yesterday: 'Yesterday',
  today: 'Today',
  tomorrow: 'Tomorrow',
  noon: 'noon',
  midnight: 'midnight',
  allDay: 'All day',
  inProgress: 'In progress',
  inDays: (days: number) => `In ${days} days`,
  untilToday: 'until today',
  untilTomorrow: 'until tomorrow',
  untilDate: (date: string) => `until ${date}`,
  untilClock: (clock: string) => `until ${clock}`,
}
