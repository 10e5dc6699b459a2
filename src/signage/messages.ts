import { messagesIn } from '../records/messages.ts'
import { german } from './messages/de.ts'
import { english } from './messages/en.ts'
import { spanish } from './messages/es.ts'
import { french } from './messages/fr.ts'

/** Messages on boards. They have placeholders instead of functions, because pages pass them to scripts. */
export const boardMessages = messagesIn({ en: english, es: spanish, fr: french, de: german })
