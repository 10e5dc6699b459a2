export type PageMessages = typeof english

/** Texts on pages for readers. */
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
}
