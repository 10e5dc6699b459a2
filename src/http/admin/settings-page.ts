import { linesOfPlaces } from '../../config/places.ts'
import type { NamedSite } from '../../config/sites-config.ts'
import {
  maxSettingLengths,
  parseStoredSettings,
  readSettings,
  settingsDocument,
  type StoredSettings,
} from '../../config/stored-settings.ts'
import { publishableFeeds } from '../../feeds/catalog.ts'
import type { Documents } from '../../store/store.ts'
import type { AdminContext } from './admin-routes.ts'
import { fieldsFrom } from './requests.ts'

export type SettingsEditor = ReturnType<typeof createSettingsEditor>

/** Reads and saves the settings that an admin can change while the site runs. */
export function createSettingsEditor(
  documents: Documents,
  { site, publicFeeds, freshMs }: NamedSite['config'] & { readonly publicFeeds: readonly string[] },
  /** True if the site's other settings are in the sites file. */
  { isInSitesFile }: { readonly isInSitesFile: boolean },
) {
  const { bucket, id } = settingsDocument
  const { name, identity: { place, color, logo } = {}, places } = site
  return {
    isInSitesFile,
    /** Settings from the environment or the sites file. */
    defaults: { name, place, color, logo, publicFeeds, places, freshSeconds: freshMs / 1000 },
    read: async () => {
      const stored = await documents.get(bucket, id)
      return { settings: parseStoredSettings(stored?.value), revision: stored?.revision ?? 0 }
    },
    revision: async () => (await documents.get(bucket, id))?.revision ?? 0,
    /** Resolves to false, without saving, if the stored settings have a different revision. */
    save: (settings: StoredSettings, revision: number) =>
      documents.write([{ bucket, id, value: JSON.stringify(settings) }], { bucket, id, revision }),
  }
}

type SettingsForm = Parameters<typeof readSettings>[0]

export const changedMeanwhile =
  'Somebody else has changed the settings since you opened this page, so nothing was saved. Check your values, then save again to replace the other changes.'

/** Serves the form for settings that take effect without a restart. */
export function settingsPage({ actions, page, form }: AdminContext): void {
  const { defaults, isInSitesFile, read, save } = actions.settings
  const always = { defaults, isInSitesFile, feeds: publishableFeeds, maxLengths: maxSettingLengths }

  const pageWith = (
    fields: SettingsForm,
    revision: number,
    { isSaved, faults = [] }: { readonly isSaved?: boolean; readonly faults?: readonly string[] },
  ) => ({
    template: 'admin-settings',
    shown: { ...always, form: { ...fields, revision }, isSaved, faults },
  })

  page('/settings', async (query) => {
    const { settings, revision } = await read()
    return pageWith(formFrom(settings), revision, { isSaved: query.get('done') === 'saved' })
  })

  form('/settings', async (sent) => {
    const fields = readFields(sent)
    const revision = Number(sent.get('revision'))
    const reading = readSettings(fields)
    if (!reading.ok) return { ...pageWith(fields, revision, reading), status: 400 }
    const { databaseFeeds } = (await read()).settings
    if (await save({ ...reading.settings, databaseFeeds }, revision)) {
      return { done: 'settings saved', redirect: '/settings?done=saved' }
    }
    const current = await read()
    return { ...pageWith(fields, current.revision, { faults: [changedMeanwhile] }), status: 409 }
  })
}

function formFrom(settings: StoredSettings): SettingsForm {
  const { name = '', place = '', color = '', logo = '', publicFeeds } = settings
  const places = linesOfPlaces(settings.places ?? [])
  return { name, place, color, logo, publicFeeds, places, fresh: `${settings.freshSeconds ?? ''}` }
}

function readFields(sent: URLSearchParams): SettingsForm {
  const fields = fieldsFrom(sent, 'name', 'place', 'color', 'logo', 'feeds', 'places', 'fresh')
  const publicFeeds = fields.feeds === 'some' ? [...new Set(sent.getAll('feed'))] : undefined
  // Browsers send line breaks as CRLF.
  return { ...fields, publicFeeds, places: fields.places.replaceAll('\r', '') }
}
