export type RecordMessages = typeof english

export const english = {
  yesterday: 'Yesterday',
  today: 'Today',
  tomorrow: 'Tomorrow',
  noon: 'noon',
  midnight: 'midnight',
  allDay: 'All day',
  inProgress: 'In progress',
  inDays: (days: number) => `In ${days} days`,
  untilToday: 'last day',
  untilTomorrow: 'until tomorrow',
  untilDate: (date: string) => `until ${date}`,
  untilClock: (clock: string) => `until ${clock}`,
  certification: {
    unnamed: 'A certification',
    /** Says that the state is from the website, because it can contradict the expiration date. */
    status: 'Status on the website',
    /** The website's own terms. */
    states: {
      pending: 'Pending',
      active: 'Active',
      'expiring soon': 'Expiring Soon',
      expired: 'Expired',
    },
  },
}
