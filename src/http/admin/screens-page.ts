import { siteTimeAt } from '../../records/site-time.ts'
import { maxEmergencyLengths, readEmergencyForm } from '../board/emergency-text.ts'
import type { AdminContext } from './admin-routes.ts'

/** Suggested duration of an emergency text. */
const usualMs = 2 * 60 * 60 * 1000

/** Serves the form for the emergency text, which covers all boards until it ends. */
export function screensPage(context: AdminContext): void {
  const { site, actions, clock, page, form, timeOf } = context
  const { emergency } = actions
  const { timeZone } = site

  const pageWith = (shown: {
    readonly form: Parameters<typeof readEmergencyForm>[0]
    readonly faults?: readonly string[]
    readonly done?: string | null
  }) => ({
    template: 'admin-screens',
    shown: {
      current: emergency.current(),
      maxLengths: maxEmergencyLengths,
      endInWords: timeOf,
      faults: [],
      ...shown,
    },
  })

  page('/screens', (query) => {
    const { title, text, until } = emergency.current() ?? {
      title: '',
      text: '',
      until: clock.now() + usualMs,
    }
    const fields = { title, text, until: siteTimeAt(until, timeZone).slice(0, 16) }
    return pageWith({ form: fields, done: query.get('done') })
  })

  form('/screens', async (sent) => {
    const field = (name: string) => sent.get(name) ?? ''
    const fields = { title: field('title'), text: field('text'), until: field('until') }
    const reading = readEmergencyForm(fields, { timeZone, now: clock.now() })
    if (!reading.ok) {
      return { ...pageWith({ form: fields, faults: reading.faults }), status: 400 }
    }
    await emergency.show(reading.emergency)
    return { done: 'emergency text shown', redirect: '/screens?done=shown' }
  })

  form('/screens/clear', async () => {
    await emergency.clear()
    return { done: 'emergency text cleared', redirect: '/screens?done=cleared' }
  })
}
