import { dayMs, minuteMs } from '../../clock.ts'
import { websiteLanguageOf } from '../../feeds/site.ts'
import { readSiteDateTime } from '../../records/read-site-time.ts'
import { lastInstantFromSiteTime, siteTimeAt } from '../../records/site-time.ts'
import { isFollowing } from '../../followers/follower.ts'
import { isOpen } from '../../links/feed-link.ts'
import { cleanText } from '../../text/text.ts'
import { emergencyPlaces, emergencyWords, type EmergencyText } from '../../site/emergency-text.ts'
import type { Following } from '../../followers/following.ts'
import type { AdminContext, AdminPages } from './admin-context.ts'
import type { AdminMessages } from './messages.ts'
import { fieldsFrom, type FormReading } from '../../web/forms.ts'

const maxEmergencyLengths = { title: 80, text: 300 }

/** No emergency lasts longer, and a forgotten text would keep covering the boards. */
const maxDays = 7

/** Suggested duration of an emergency text. */
const usualMs = 2 * 60 * 60 * 1000

/** Long enough to walk to the screen. */
const testMs = 5 * minuteMs

async function pageWith(
  admin: AdminContext,
  form: EmergencyForm,
  { faults = [], done }: { readonly faults?: readonly string[]; readonly done?: string | null },
) {
  const { actions, following, links, site, clock, timeOf } = admin
  const words = { timeZone: site.timeZone, instant: clock.now() }
  const shown = {
    current: actions.emergency.current(),
    endInWords: timeOf,
    alarm: emergencyWords(readSiteDateTime(form.until) ?? null, websiteLanguageOf(site), words),
    reached: following && (await reachedBy(admin, following)),
    // Links for one member are not for screens.
    screens: links.open().filter(({ memberId }) => memberId === undefined),
    form,
    maxLengths: maxEmergencyLengths,
    testMinutes: testMs / minuteMs,
    faults,
    done,
  }
  return { template: 'admin/screens', shown }
}

/** Resolves to the numbers of devices and email addresses that get emergency texts. */
async function reachedBy(
  { links, clock }: AdminContext,
  { followers, hasMail, pushKey }: Following,
) {
  const reached = (await followers.all()).filter((follower) => {
    const { linkId, choice } = follower
    const link = linkId === undefined ? undefined : links.byId(linkId)?.link
    const mayRead = linkId === undefined || (link !== undefined && isOpen(link, clock.now()))
    return isFollowing(follower) && choice.emergency && mayRead
  })
  const { push = [], mail = [] } = Object.groupBy(reached, ({ means }) => means)
  return { push: pushKey === undefined ? 0 : push.length, mail: hasMail ? mail.length : 0 }
}

/** Serves the form for the emergency text, which boards and pages show until it ends. */
export function screensPage({ page, form }: AdminPages): void {
  page('/screens', (admin, query) => {
    const { site, actions, clock } = admin
    const current = actions.emergency.current()
    const usual = { until: clock.now() + usualMs, places: emergencyPlaces }
    const suggested = { title: '', text: '', ...current }
    const { until, places } = current && current.testedAt === undefined ? current : usual
    const end = siteTimeAt(until, site.timeZone).slice(0, 16)
    const { title, text, testedAt = '' } = suggested
    // The page's script requests a preview of an end that has not been saved yet.
    const fields = { title, text, until: query.get('until') ?? end, places, testedAt }
    return pageWith(admin, fields, { done: query.get('done') })
  })

  form('/screens', async (admin, sent) => {
    const { site, actions, clock } = admin
    const fields = {
      ...fieldsFrom(sent, 'title', 'text', 'until', 'testedAt'),
      places: emergencyPlaces.filter((place) => sent.has(place)),
      isTest: sent.has('test'),
    }
    const now = clock.now()
    const { faults: texts } = admin.texts.screens
    const reading = readEmergencyForm(fields, site.timeZone, now, texts)
    if (!reading.ok) return { ...(await pageWith(admin, fields, reading)), status: 400 }
    if (!(await actions.emergency.show(reading.emergency))) {
      const faults = [texts.notCleared]
      return { ...(await pageWith(admin, fields, { faults })), status: 400 }
    }
    if (fields.isTest) return { done: 'emergency text tested', redirect: '/screens?done=tested' }
    return { done: 'emergency text shown', redirect: '/screens?done=shown' }
  })

  form('/screens/clear', async ({ actions }, sent) => {
    if (!(await actions.emergency.clear({ isTest: sent.has('test') }))) {
      return { done: 'emergency text kept', redirect: '/screens?done=kept' }
    }
    return { done: 'emergency text cleared', redirect: '/screens?done=cleared' }
  })
}

/** `until` is in the site's time zone, like `2026-03-05T18:00`. If it occurs twice, the later one. */
type EmergencyForm = Pick<EmergencyText, 'title' | 'text' | 'places'> & {
  readonly until: string
  /** Id of the link of the screen for a test, or an empty string. */
  readonly testedAt: string
  readonly isTest?: boolean
}

export function readEmergencyForm(
  { places, testedAt, isTest = false, ...form }: EmergencyForm,
  timeZone: string,
  now: number,
  texts: AdminMessages['screens']['faults'],
): FormReading<{ readonly emergency: EmergencyText }> {
  const title = cleanText(form.title).replace(/\s+/g, ' ').trim()
  const text = cleanText(form.text).trim()
  const siteTime = readSiteDateTime(form.until)
  const end = siteTime === undefined ? NaN : lastInstantFromSiteTime(siteTime, timeZone)
  const until = isTest ? now + testMs : end
  const { title: maxTitle, text: maxText } = maxEmergencyLengths
  const faults = [
    title === '' && texts.noTitle,
    title.length > maxTitle && texts.titleTooLong(maxTitle),
    text.length > maxText && texts.textTooLong(maxText),
    Number.isNaN(until) && texts.noEnd,
    until <= now && texts.past,
    until > now + maxDays * dayMs && texts.tooLate(maxDays),
    !isTest && places.length === 0 && texts.nowhere,
  ].filter((fault) => fault !== false)
  if (faults.length > 0) return { ok: false, faults }
  const shownAt = isTest ? { places: [], testedAt } : { places }
  return { ok: true, emergency: { title, text, since: now, until, ...shownAt } }
}
