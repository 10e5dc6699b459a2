import { pluralIn } from '../../records/messages.ts'
import type { NoticeMessages } from './en.ts'

const plural = pluralIn('es')

export const spanish: NoticeMessages = {
  title: {
    changes: (count) => plural(count, { one: `${count} cambio`, other: `${count} cambios` }),
    changesAndNews: (count) =>
      plural(count, { one: `${count} cambio y noticias`, other: `${count} cambios y noticias` }),
    news: 'Noticias',
  },
  titled: (source, title) => `${source}: ${title}`,
  moreLines: (count) => `Y ${count} más.`,
  openFeedhouse: 'Abrir Feedhouse',
}
