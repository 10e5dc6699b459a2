export type RecordMessages = typeof english

/** Texts about days and times, and about certifications. */
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
  certification: {
    unnamed: 'A certification',
    /** Labels a state as the website's, because it can disagree with the expiration date. */
    status: 'Status on the website',
    /** The website's names. */
    states: {
      pending: 'Pending',
      active: 'Active',
      'expiring soon': 'Expiring Soon',
      expired: 'Expired',
    },
  },
}
