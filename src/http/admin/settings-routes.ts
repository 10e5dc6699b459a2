import { Router } from 'express'
import { readSettings } from '../../config/stored-settings.ts'
import { queryOf } from '../server/urls.ts'
import { formOf } from './requests.ts'
import { formFromSettings, settingsFormFrom } from './settings-form.ts'
import type { AdminContext } from './sign-in.ts'

const changedMeanwhile =
  'Somebody else has changed the settings since you opened this page, so nothing was saved. Check your values, then save again to replace the other changes.'

/** Serves the form for settings that take effect without a restart. */
export function settingsRoutes({ actions, audit, home, tokenOf, pages }: AdminContext): Router {
  const { defaults, isInSitesFile, read, save } = actions.settings
  const router = Router({ caseSensitive: true, strict: true })
  router.get('/settings', async (request, response) => {
    const { settings, revision } = await read()
    const form = formFromSettings(settings, revision)
    const isSaved = queryOf(request.originalUrl).get('done') === 'saved'
    response.send(pages.settings(tokenOf(request), { form, defaults, isInSitesFile, isSaved }))
  })
  router.post('/settings', async (request, response) => {
    const form = settingsFormFrom(formOf(request))
    const showAgain = (status: number, faults: readonly string[], revision = form.revision) => {
      const shown = { form: { ...form, revision }, defaults, isInSitesFile, faults }
      response.status(status).send(pages.settings(tokenOf(request), shown))
    }
    const reading = readSettings(form)
    if (!reading.ok) return showAgain(400, reading.faults)
    if (await save(reading.settings, Number(form.revision))) {
      audit(request, 'settings saved')
      return home(response, '/settings?done=saved')
    }
    const { revision } = await read()
    showAgain(409, [changedMeanwhile], String(revision))
  })
  return router
}
