import { messagesIn } from '../../records/messages.ts'
import { german } from './messages/de.ts'
import { english } from './messages/en.ts'
import { spanish } from './messages/es.ts'
import { french } from './messages/fr.ts'

/** Text about boards, for example on the form for new screens. Text on boards is in `boardMessages`. */
export const composerMessages = messagesIn({ en: english, es: spanish, fr: french, de: german })
