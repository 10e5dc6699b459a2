import type { NamedSite } from '../config/sites-config.ts'
import {
  parseStoredSettings,
  settingsDocument,
  uploadedLogo,
  type StoredSettings,
} from '../config/stored-settings.ts'
import { defaultLanguage } from '../records/language.ts'
import type { Documents, Write } from '../store/store.ts'

/** Reads and saves the settings that an admin can change while the site runs. */
export type SettingsStore = {
  /** True if the site's other settings are in the sites file. */
  readonly isInSitesFile: boolean
  /** Settings from the environment or the sites file. */
  readonly defaults: StoredSettings & { readonly name: string; readonly language: string }
  readonly read: () => Promise<{ readonly settings: StoredSettings; readonly revision: number }>
  /** Resolves to false, without saving, if the stored settings have a different revision. */
  readonly save: (
    settings: StoredSettings,
    revision: number,
    more?: readonly Write[],
  ) => Promise<boolean>
}

export function createSettingsStore(
  documents: Documents,
  { site, publicFeeds, freshMs }: NamedSite['config'] & { readonly publicFeeds: readonly string[] },
  { isInSitesFile }: { readonly isInSitesFile: boolean },
): SettingsStore {
  const { name, language = defaultLanguage, identity, places } = site
  return {
    isInSitesFile,
    defaults: { ...identity, name, language, publicFeeds, places, freshSeconds: freshMs / 1000 },
    read: () => savedSettings(documents),
    save: (settings, revision, more = []) =>
      documents.write([{ ...settingsDocument, value: JSON.stringify(settings) }, ...more], {
        ...settingsDocument,
        revision,
      }),
  }
}

/** Returns the settings that an admin has saved, which are empty if there are none. */
export async function savedSettings(
  documents: Documents,
): Promise<{ readonly settings: StoredSettings; readonly revision: number }> {
  const { bucket, id } = settingsDocument
  const { value, revision = 0 } = (await documents.get(bucket, id)) ?? {}
  return { settings: parseStoredSettings(value), revision }
}

/** Stored separately from the other settings, which are read every few seconds. */
export const logoDocument = { bucket: 'settings', id: 'logo' }

export const isUploaded = (logo: string | undefined) => logo?.startsWith(uploadedLogo) === true

/** Returns a logo's path or URL. The URL of an uploaded logo contains the picture itself. */
export async function logoWithContent(
  documents: Documents,
  logo: string | undefined,
): Promise<string | undefined> {
  if (!isUploaded(logo)) return logo
  const stored = await documents.get(logoDocument.bucket, logoDocument.id)
  return stored && `data:image/png;base64,${stored.value}`
}
