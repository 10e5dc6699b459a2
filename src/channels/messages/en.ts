import { pluralIn } from '../../records/messages.ts'

const plural = pluralIn('en')

export type NoticeMessages = typeof english

/** Text of messages about changes. Alerts, which go to the webmaster, are always in English. */
export const english = {
  title: {
    changes: (count: number) =>
      plural(count, { one: `${count} change`, other: `${count} changes` }),
    changesAndNews: (count: number) =>
      plural(count, { one: `${count} change and news`, other: `${count} changes and news` }),
    news: 'News',
  },
  titled: (source: string, title: string) => `${source}: ${title}`,
  moreLines: (count: number) => `And ${count} more.`,
  openFeedhouse: 'Open Feedhouse',
}
