import { messagesIn } from '../../records/messages.ts'
import { german } from './messages/de.ts'
import { english } from './messages/en.ts'
import { spanish } from './messages/es.ts'
import { german as followInGerman } from './messages/follow/de.ts'
import { english as followInEnglish } from './messages/follow/en.ts'
import { spanish as followInSpanish } from './messages/follow/es.ts'
import { french as followInFrench } from './messages/follow/fr.ts'
import { french } from './messages/fr.ts'

export const pageMessages = messagesIn({
  en: { ...english, follow: followInEnglish },
  es: { ...spanish, follow: followInSpanish },
  fr: { ...french, follow: followInFrench },
  de: { ...german, follow: followInGerman },
})
