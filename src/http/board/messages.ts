import { messagesIn } from '../../records/messages.ts'
import { german } from './messages/de.ts'
import { english } from './messages/en.ts'
import { spanish } from './messages/es.ts'
import { french } from './messages/fr.ts'

/** Texts around boards. The texts on boards are in `boardMessages`. */
export const composerMessages = messagesIn({ en: english, es: spanish, fr: french, de: german })
