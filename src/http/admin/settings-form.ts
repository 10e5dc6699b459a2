import { linesOfPlaces } from '../../config/places.ts'
import type { StoredSettings } from '../../config/stored-settings.ts'

/** Reads and saves the settings that an admin can change while the site runs. */
export type SettingsEditor = {
  /** Settings from the environment or the sites file. */
  readonly defaults: Required<Omit<StoredSettings, 'isDamaged'>>
  /** True if the site's other settings are in the sites file. */
  readonly isInSitesFile: boolean
  readonly read: () => Promise<{ readonly settings: StoredSettings; readonly revision: number }>
  /** Resolves to false, without saving, if the stored settings have another revision. */
  readonly save: (settings: StoredSettings, revision: number) => Promise<boolean>
}

/** Fields of the form for settings. */
export type SettingsForm = {
  readonly name: string
  readonly place: string
  readonly color: string
  readonly logo: string
  /** Undefined for the default. */
  readonly publicFeeds: readonly string[] | undefined
  /** One place per line. */
  readonly places: string
  /** Seconds between reads of the website. */
  readonly fresh: string
  readonly revision: string
}

/** Returns the form that shows the stored settings. */
export function formFromSettings(settings: StoredSettings, revision: number): SettingsForm {
  const { name = '', place = '', color = '', logo = '', publicFeeds } = settings
  const places = linesOfPlaces(settings.places ?? [])
  const fresh = String(settings.freshSeconds ?? '')
  return { name, place, color, logo, publicFeeds, places, fresh, revision: String(revision) }
}

export function settingsFormFrom(sent: URLSearchParams): SettingsForm {
  const text = (name: string) => sent.get(name) ?? ''
  const publicFeeds = text('feeds') === 'some' ? [...new Set(sent.getAll('feed'))] : undefined
  return {
    name: text('name'),
    place: text('place'),
    color: text('color'),
    logo: text('logo'),
    publicFeeds,
    // Browsers send line breaks as CRLF.
    places: text('places').replaceAll('\r', ''),
    fresh: text('fresh'),
    revision: text('revision'),
  }
}
