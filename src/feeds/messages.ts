import { messagesIn } from '../records/messages.ts'
import type { AboutFeed } from './feed.ts'
import { german } from './messages/de.ts'
import { english, type FeedMessages } from './messages/en.ts'
import { spanish } from './messages/es.ts'
import { french } from './messages/fr.ts'

export const feedMessages = messagesIn({ en: english, es: spanish, fr: french, de: german })

export function textIn(id: keyof FeedMessages['feeds']): AboutFeed['textIn'] {
  return (language) => feedMessages(language).feeds[id]
}
