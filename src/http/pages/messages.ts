import { messagesIn } from '../../records/messages.ts'
import { german } from './messages/de.ts'
import { english } from './messages/en.ts'
import { spanish } from './messages/es.ts'
import { german as doctorInGerman } from './messages/doctor/de.ts'
import { english as doctorInEnglish } from './messages/doctor/en.ts'
import { spanish as doctorInSpanish } from './messages/doctor/es.ts'
import { french as doctorInFrench } from './messages/doctor/fr.ts'
import { german as followInGerman } from './messages/follow/de.ts'
import { english as followInEnglish } from './messages/follow/en.ts'
import { spanish as followInSpanish } from './messages/follow/es.ts'
import { french as followInFrench } from './messages/follow/fr.ts'
import { french } from './messages/fr.ts'

export const pageMessages = messagesIn({
  en: { ...english, follow: followInEnglish, doctor: doctorInEnglish },
  es: { ...spanish, follow: followInSpanish, doctor: doctorInSpanish },
  fr: { ...french, follow: followInFrench, doctor: doctorInFrench },
  de: { ...german, follow: followInGerman, doctor: doctorInGerman },
})
