import { messagesIn } from '../../records/messages.ts'
import { german } from './messages/de.ts'
import { english } from './messages/en.ts'
import { spanish } from './messages/es.ts'
import { french } from './messages/fr.ts'

/** Text of the pages where people ask for email, and change or stop it. */
export const followMessages = messagesIn({ en: english, es: spanish, fr: french, de: german })
