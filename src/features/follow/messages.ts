import { messagesIn } from '../../records/messages.ts'
import { german } from './messages/de.ts'
import { english } from './messages/en.ts'
import { spanish } from './messages/es.ts'
import { french } from './messages/fr.ts'

/** Text of the pages on which people sign up for email, change it and unsubscribe. */
export const followMessages = messagesIn({ en: english, es: spanish, fr: french, de: german })
