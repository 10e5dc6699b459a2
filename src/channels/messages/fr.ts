import { pluralIn } from '../../records/messages.ts'
import type { NoticeMessages } from './en.ts'

const plural = pluralIn('fr')

export const french: NoticeMessages = {
  title: {
    changes: (count) =>
      plural(count, { one: `${count} changement`, other: `${count} changements` }),
    changesAndNews: (count) =>
      plural(count, {
        one: `${count} changement et des nouvelles`,
        other: `${count} changements et des nouvelles`,
      }),
    news: 'Nouvelles',
  },
  titled: (source, title) => `${source}\u202F: ${title}`,
  moreLines: (count) => plural(count, { one: `Et ${count} autre.`, other: `Et ${count} autres.` }),
  openFeedhouse: 'Ouvrir Feedhouse',
}
