import type { Site } from '../../feeds/site.ts'
import { fullClock, mediumDay, shortDayInWords } from '../../records/date-words.ts'
import { siteTimeAt, type SiteDateTime } from '../../records/site-time.ts'
import { contextIn, type SiteContext } from '../../web/context.ts'
import type { AdminActions } from '../../site/admin-actions.ts'
import { signInLimit, type PasswordPages, type PasswordSite } from '../../web/password-pages.ts'
import type { RenderPage } from '../../web/templates.ts'
import { adminAccess } from '../../web/sessions.ts'

type DateInWords = (instant: string | number | null | undefined) => string | undefined

/** A site with an admin page, in English. */
export type AdminContext = SiteContext &
  PasswordSite & {
    readonly actions: AdminActions
    /** Formats an instant as a day in the site's time zone. Undefined for a missing instant. */
    readonly dayOf: DateInWords
    /** Formats an instant as a day and a time in the site's time zone. */
    readonly timeOf: DateInWords
  }

export type AdminPages = PasswordPages<AdminContext>

/** Returns undefined if the site has no admin page. */
export function adminContext(context: SiteContext): AdminContext | undefined {
  const { admin: actions, kept, windows, clock } = context
  const access = kept(adminAccess)
  const site = contextIn(context, 'en')
  if (!actions || !access) return undefined
  const { publicUrl } = site.site
  const { isPublicUrlSet } = actions
  const signIns = signInLimit('/admin', windows, clock)
  const hasFollowers = site.following !== undefined
  const hasInvitations = site.following?.hasMail === true
  const render: RenderPage = (template, shown) =>
    site.render(template, { ...shown, hasFollowers, hasInvitations })
  return {
    ...site,
    render,
    actions,
    access,
    publicUrl,
    isPublicUrlSet,
    signIns,
    ...datesAt(site.site),
  }
}

/** Formats days and times in the site's time zone. */
function datesAt({ timeZone, language }: Site) {
  const inWords =
    (words: (time: SiteDateTime) => string): DateInWords =>
    (instant) =>
      instant === null || instant === undefined
        ? undefined
        : words(siteTimeAt(new Date(instant).getTime(), timeZone))
  return {
    dayOf: inWords((time) => mediumDay(time.slice(0, 10), language)),
    timeOf: inWords(
      (time) =>
        `${shortDayInWords(time.slice(0, 10), time, language)}, ${fullClock(time, language)}`,
    ),
  }
}
