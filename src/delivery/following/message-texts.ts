import { messagesIn } from '../../records/messages.ts'
import { german } from './messages/de.ts'
import { english } from './messages/en.ts'
import { spanish } from './messages/es.ts'
import { french } from './messages/fr.ts'

export const followTexts = messagesIn({ en: english, es: spanish, fr: french, de: german })
