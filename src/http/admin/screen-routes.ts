import { Router } from 'express'
import { siteTimeAt } from '../../records/site-time.ts'
import { readEmergencyForm } from '../board/emergency-text.ts'
import { queryOf } from '../server/urls.ts'
import { formOf } from './requests.ts'
import type { AdminContext } from './sign-in.ts'

/** Suggested duration of an emergency text. */
const usualMs = 2 * 60 * 60 * 1000

/** Serves the form for the emergency text, which covers all boards until it ends. */
export function screenRoutes({
  site: { timeZone },
  actions: { emergency },
  audit,
  home,
  tokenOf,
  pages,
  clock,
}: AdminContext): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.get('/screens', (request, response) => {
    const current = emergency.current()
    const until = siteTimeAt(current?.until ?? clock.now() + usualMs, timeZone).slice(0, 16)
    const form = { title: current?.title ?? '', text: current?.text ?? '', until }
    const done = queryOf(request.originalUrl).get('done')
    response.send(pages.screens(tokenOf(request), { form, current, done }))
  })
  router.post('/screens', async (request, response) => {
    const sent = formOf(request)
    const [title = '', text = '', until = ''] = ['title', 'text', 'until'].map(
      (name) => sent.get(name) ?? '',
    )
    const form = { title, text, until }
    const reading = readEmergencyForm(form, { timeZone, now: clock.now() })
    if (!reading.ok) {
      const shown = { form, current: emergency.current(), faults: reading.faults }
      return void response.status(400).send(pages.screens(tokenOf(request), shown))
    }
    await emergency.show(reading.emergency)
    audit(request, 'emergency text shown')
    home(response, '/screens?done=shown')
  })
  router.post('/screens/clear', async (request, response) => {
    await emergency.clear()
    audit(request, 'emergency text cleared')
    home(response, '/screens?done=cleared')
  })
  return router
}
