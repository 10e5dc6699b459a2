import type { SiteContext } from '../context.ts'
import type { AdminActions } from './admin-actions.ts'
import type { PasswordPages } from './password-pages.ts'

type DateInWords = (instant: string | number | null | undefined) => string | undefined

export type AdminContext = SiteContext &
  Pick<PasswordPages, 'page' | 'form'> & {
    readonly actions: AdminActions
    /** Formats an instant as a day in the site's time zone. Undefined for a missing instant. */
    readonly dayOf: DateInWords
    /** Formats an instant as a day and a time in the site's time zone. */
    readonly timeOf: DateInWords
  }
