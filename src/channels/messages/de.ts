import { pluralIn } from '../../records/messages.ts'
import type { NoticeMessages } from './en.ts'

const plural = pluralIn('de')

export const german: NoticeMessages = {
  title: {
    changes: (count) => plural(count, { one: `${count} Änderung`, other: `${count} Änderungen` }),
    changesAndNews: (count) =>
      plural(count, {
        one: `${count} Änderung sowie Neuigkeiten`,
        other: `${count} Änderungen sowie Neuigkeiten`,
      }),
    news: 'Neuigkeiten',
  },
  titled: (source, title) => `${source}: ${title}`,
  moreLines: (count) =>
    plural(count, {
      one: `Und ${count} weiterer Eintrag.`,
      other: `Und ${count} weitere Einträge.`,
    }),
  openFeedhouse: 'Feedhouse öffnen',
}
