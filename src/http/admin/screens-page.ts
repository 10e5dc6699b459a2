import { dayMs } from '../../clock.ts'
import { readSiteDateTime } from '../../records/read-site-time.ts'
import { lastInstantFromSiteTime, siteTimeAt } from '../../records/site-time.ts'
import { cleanText } from '../../text/text.ts'
import type { EmergencyText } from '../../site/emergency-text.ts'
import type { AdminContext } from './admin-context.ts'
import { fieldsFrom, type FormReading } from './requests.ts'

const maxEmergencyLengths = { title: 80, text: 300 }

/** No emergency lasts longer, and a forgotten text would keep covering the boards. */
const maxDays = 7

/** Suggested duration of an emergency text. */
const usualMs = 2 * 60 * 60 * 1000

/** Serves the form for the emergency text, which covers all boards until it ends. */
export function screensPage(context: AdminContext): void {
  const { site, actions, clock, page, form, timeOf } = context
  const { emergency } = actions
  const { timeZone } = site

  const pageWith = (
    fields: Parameters<typeof readEmergencyForm>[0],
    { faults = [], done }: { readonly faults?: readonly string[]; readonly done?: string | null },
  ) => {
    const current = { current: emergency.current(), endInWords: timeOf }
    const shown = { ...current, form: fields, maxLengths: maxEmergencyLengths, faults, done }
    return { template: 'admin-screens', shown }
  }

  page('/screens', (query) => {
    const suggested = { title: '', text: '', until: clock.now() + usualMs }
    const { title, text, until } = emergency.current() ?? suggested
    const fields = { title, text, until: siteTimeAt(until, timeZone).slice(0, 16) }
    return pageWith(fields, { done: query.get('done') })
  })

  form('/screens', async (sent) => {
    const fields = fieldsFrom(sent, 'title', 'text', 'until')
    const reading = readEmergencyForm(fields, { timeZone, now: clock.now() })
    if (!reading.ok) return { ...pageWith(fields, reading), status: 400 }
    await emergency.show(reading.emergency)
    return { done: 'emergency text shown', redirect: '/screens?done=shown' }
  })

  form('/screens/clear', async () => {
    await emergency.clear()
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
