import { messagesIn } from '../records/messages.ts'
import { german } from './messages/de.ts'
import { english } from './messages/en.ts'
import { spanish } from './messages/es.ts'
import { french } from './messages/fr.ts'

/** Texts of boards, with placeholders, because the page passes them to its script. */
export const boardMessages = messagesIn({ en: english, es: spanish, fr: french, de: german })
