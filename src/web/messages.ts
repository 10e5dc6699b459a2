import { messagesIn } from '../records/messages.ts'
import { german as browsingInGerman } from './messages/browsing/de.ts'
import { english as browsingInEnglish } from './messages/browsing/en.ts'
import { spanish as browsingInSpanish } from './messages/browsing/es.ts'
import { french as browsingInFrench } from './messages/browsing/fr.ts'
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
  en: { ...english, ...browsingInEnglish, follow: followInEnglish, doctor: doctorInEnglish },
  es: { ...spanish, ...browsingInSpanish, follow: followInSpanish, doctor: doctorInSpanish },
  fr: { ...french, ...browsingInFrench, follow: followInFrench, doctor: doctorInFrench },
  de: { ...german, ...browsingInGerman, follow: followInGerman, doctor: doctorInGerman },
})
