import type { Request, Response } from 'express'
import type { Site } from '../../feeds/site.ts'
import { fullClock, mediumDay, shortDayInWords } from '../../records/date-words.ts'
import { siteTimeAt, type SiteDateTime } from '../../records/site-time.ts'
import type { AdminActions } from '../../site/admin-actions.ts'
import { contextIn, siteOf, type SiteContext } from '../../web/context.ts'
import { signInLimit, type PasswordPages, type PasswordSite } from '../../web/password-pages.ts'
import { adminAccess } from '../../web/sessions.ts'
import type { RenderPage } from '../../web/templates.ts'
import { languageLinks, pageLinks, readLanguage } from '../../web/translation.ts'
import { queryOf } from '../../web/urls.ts'
import { adminMessages, type AdminMessages } from './messages.ts'

/** A sentence in the language of the page, or one that exists only in English. */
export type Fault = string | { readonly english: string }

type DateInWords = (instant: string | number | null | undefined) => string | undefined

/** A site with an admin page, in the language of a request. */
export type AdminContext = SiteContext &
  PasswordSite & {
    readonly actions: AdminActions
    readonly texts: AdminMessages
    /** Formats an instant as a day in the site's time zone. Undefined for a missing instant. */
    readonly dayOf: DateInWords
    /** Formats an instant as a day and a time in the site's time zone. */
    readonly timeOf: DateInWords
  }

export type AdminPages = PasswordPages<AdminContext>

const adminSignIns = ({ windows, clock }: SiteContext) => signInLimit('/admin', windows, clock)

/** Returns undefined if the site has no admin page. Throws `BadOption` for an unknown language. */
export function adminContext(request: Request, response: Response): AdminContext | undefined {
  const original = siteOf(response)
  const { admin: actions, kept, following } = original
  const access = kept(adminAccess)
  if (!actions || !access) return undefined
  const query = queryOf(request.originalUrl)
  const context = contextIn(original, readLanguage(query, original.site))
  const { site } = context
  const [path = ''] = request.originalUrl.split('?')
  const texts = adminMessages(site.language)
  const always = {
    texts,
    languageLinks: request.method === 'POST' ? [] : languageLinks({ path, query }, site),
    isPrivatePage: true,
    hasFollowers: following !== undefined,
    hasInvitations: following?.hasMail === true,
  }
  const render: RenderPage = (template, shown) => context.render(template, { ...shown, ...always })
  return {
    ...context,
    render,
    actions,
    texts,
    access,
    linkTo: pageLinks(site).linkTo,
    publicUrl: site.publicUrl,
    isPublicUrlSet: actions.isPublicUrlSet,
    signIns: kept(adminSignIns),
    ...datesAt(site),
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
