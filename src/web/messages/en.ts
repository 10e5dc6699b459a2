export type PageMessages = typeof english

/** Text that all pages for readers share. */
export const english = {
  language: 'Language',
  navigation: {
    calendar: 'Calendar',
    news: 'News',
    documents: 'Documents',
    members: 'Members',
    mine: 'Mine',
    follow: 'Follow',
  },
  notifyOnDevice: 'Notify me on this device',
}
