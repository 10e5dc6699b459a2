import { siteTimeAt } from '../../records/site-time.ts'
import { maxEmergencyLengths, readEmergencyForm } from '../board/emergency-text.ts'
import type { AdminContext } from './admin-routes.ts'
import { fieldsFrom } from './requests.ts'

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
