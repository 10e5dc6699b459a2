import { dayMs } from '../../clock.ts'
import { websiteLanguageOf } from '../../feeds/site.ts'
import { readSiteDateTime } from '../../records/read-site-time.ts'
import { lastInstantFromSiteTime, siteTimeAt } from '../../records/site-time.ts'
import { activeTime } from '../../signage/board-times.js'
import { boardMessages } from '../../signage/messages.ts'
import { cleanText } from '../../text/text.ts'
import type { EmergencyText } from '../../site/emergency-text.ts'
import type { AdminContext, AdminPages } from './admin-context.ts'
import { fieldsFrom, type FormReading } from '../../web/forms.ts'

const maxEmergencyLengths = { title: 80, text: 300 }

/** No emergency lasts longer, and a forgotten text would keep covering the boards. */
const maxDays = 7

/** Suggested duration of an emergency text. */
const usualMs = 2 * 60 * 60 * 1000

function pageWith(
  admin: AdminContext,
  fields: Parameters<typeof readEmergencyForm>[0],
  { faults = [], done }: { readonly faults?: readonly string[]; readonly done?: string | null },
) {
  const { actions, timeOf } = admin
  const current = { current: actions.emergency.current(), endInWords: timeOf }
  const preview = previewOf(admin, fields.until)
  const shown = { ...current, preview, form: fields, maxLengths: maxEmergencyLengths, faults, done }
  return { template: 'admin/screens', shown }
}

/** Returns the words that boards add to an emergency text, in the website's language. */
function previewOf({ site, clock }: AdminContext, until: string) {
  const lang = websiteLanguageOf(site)
  const words = boardMessages(lang)
  const instant = clock.now()
  const now = siteTimeAt(instant, site.timeZone)
  const end = readSiteDateTime(until) ?? null
  const shown = { start: now, startAt: null, end, allDay: false }
  return { lang, label: words.emergency, until: activeTime(shown, { now, instant, lang, words }) }
}

/** Serves the form for the emergency text, which covers all boards until it ends. */
export function screensPage({ page, form }: AdminPages): void {
  page('/screens', (admin, query) => {
    const { site, actions, clock } = admin
    const suggested = { title: '', text: '', until: clock.now() + usualMs }
    const { title, text, until } = actions.emergency.current() ?? suggested
    const end = siteTimeAt(until, site.timeZone).slice(0, 16)
    // The page's script requests a preview of an end that has not been saved yet.
    const fields = { title, text, until: query.get('until') ?? end }
    return pageWith(admin, fields, { done: query.get('done') })
  })

  form('/screens', async (admin, sent) => {
    const { site, actions, clock } = admin
    const fields = fieldsFrom(sent, 'title', 'text', 'until')
    const reading = readEmergencyForm(fields, { ...site, now: clock.now() })
    if (!reading.ok) return { ...pageWith(admin, fields, reading), status: 400 }
    await actions.emergency.show(reading.emergency)
    return { done: 'emergency text shown', redirect: '/screens?done=shown' }
  })

  form('/screens/clear', async ({ actions }) => {
    await actions.emergency.clear()
    return { done: 'emergency text cleared', redirect: '/screens?done=cleared' }
  })
}

/** `until` is in the site's time zone, like `2026-03-05T18:00`. If it occurs twice, the later one. */
export function readEmergencyForm(
  form: { readonly title: string; readonly text: string; readonly until: string },
  { timeZone, now }: { readonly timeZone: string; readonly now: number },
): FormReading<{ readonly emergency: EmergencyText }> {
  const title = cleanText(form.title).replace(/\s+/g, ' ').trim()
  const text = cleanText(form.text).trim()
  const siteTime = readSiteDateTime(form.until)
  const until = siteTime === undefined ? NaN : lastInstantFromSiteTime(siteTime, timeZone)
  const { title: maxTitle, text: maxText } = maxEmergencyLengths
  const faults = [
    title === '' && 'Enter a title.',
    title.length > maxTitle && `The title must have at most ${maxTitle} characters.`,
    text.length > maxText && `The text must have at most ${maxText} characters.`,
    Number.isNaN(until) && 'Enter the date and time at which the text ends.',
    until <= now && 'The end must be in the future.',
    until > now + maxDays * dayMs && `The end must be within ${maxDays} days.`,
  ].filter((fault) => fault !== false)
  if (faults.length > 0) return { ok: false, faults }
  return { ok: true, emergency: { title, text, since: now, until } }
}
