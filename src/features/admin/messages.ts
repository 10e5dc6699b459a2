import { messagesIn } from '../../records/messages.ts'
import { german } from './messages/de.ts'
import { english } from './messages/en.ts'
import { spanish } from './messages/es.ts'
import { french } from './messages/fr.ts'
import { german as linksInGerman } from './messages/links/de.ts'
import { english as linksInEnglish } from './messages/links/en.ts'
import { spanish as linksInSpanish } from './messages/links/es.ts'
import { french as linksInFrench } from './messages/links/fr.ts'
import { german as pagesInGerman } from './messages/pages/de.ts'
import { english as pagesInEnglish } from './messages/pages/en.ts'
import { spanish as pagesInSpanish } from './messages/pages/es.ts'
import { french as pagesInFrench } from './messages/pages/fr.ts'
import { german as settingsInGerman } from './messages/settings/de.ts'
import { english as settingsInEnglish } from './messages/settings/en.ts'
import { spanish as settingsInSpanish } from './messages/settings/es.ts'
import { french as settingsInFrench } from './messages/settings/fr.ts'
import { german as statusInGerman } from './messages/status/de.ts'
import { english as statusInEnglish } from './messages/status/en.ts'
import { spanish as statusInSpanish } from './messages/status/es.ts'
import { french as statusInFrench } from './messages/status/fr.ts'

export type AdminMessages = ReturnType<typeof adminMessages>

export const adminMessages = messagesIn({
  en: {
    ...english,
    ...pagesInEnglish,
    links: linksInEnglish,
    settings: settingsInEnglish,
    status: statusInEnglish,
  },
  es: {
    ...spanish,
    ...pagesInSpanish,
    links: linksInSpanish,
    settings: settingsInSpanish,
    status: statusInSpanish,
  },
  fr: {
    ...french,
    ...pagesInFrench,
    links: linksInFrench,
    settings: settingsInFrench,
    status: statusInFrench,
  },
  de: {
    ...german,
    ...pagesInGerman,
    links: linksInGerman,
    settings: settingsInGerman,
    status: statusInGerman,
  },
})
