import { Router } from 'express'
import { queryOf } from '../server/urls.ts'
import {
  composedSetting,
  databaseFromForm,
  databasePreview,
  fieldChoices,
  type DatabasePage,
} from './database-form.ts'
import type { AdminContext } from './sign-in.ts'

/** Serves the form that composes the setting `DATABASE_FEEDS`. It changes nothing. */
export function databaseRoutes({ site, actions, pages, tokenOf }: AdminContext): Router {
  const { databases, settings } = actions
  const { databases: configured = [] } = site
  const { isInSitesFile } = settings
  const router = Router({ caseSensitive: true, strict: true })

  async function pageFor(query: URLSearchParams): Promise<DatabasePage> {
    const listed = await databases.list()
    if (!listed.ok) return { fault: listed.fault, listed: [], configured, isInSitesFile }
    const shown = { listed: listed.value, configured, isInSitesFile }
    const wanted = listed.value.find(({ id }) => String(id) === query.get('database'))
    if (!wanted) return shown
    const reading = await databases.sample(wanted)
    if (!reading.ok) return { ...shown, fault: reading.fault }
    const sample = reading.value
    const database = databaseFromForm(query, sample, configured)
    const chosen = {
      sample,
      database,
      choices: fieldChoices(database, sample),
      setting: composedSetting(database, sample, shown),
      preview: databasePreview(database, sample, site.url),
    }
    return { ...shown, chosen }
  }

  router.get('/databases', async (request, response) => {
    const page = await pageFor(queryOf(request.originalUrl))
    response.send(pages.databases(tokenOf(request), page))
  })
  return router
}
