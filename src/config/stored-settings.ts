import { z } from 'zod'
import { publishableFeeds } from '../feeds/catalog.ts'
import type { Place } from '../calendar/place.ts'
import type { SiteSettings } from './config.ts'
import { maxPlacesLength, readPlaceLines, storedPlaces } from './places.ts'
import {
  feedList,
  freshSeconds,
  isHttpsUrl,
  maxPlaceLength,
  oneLine,
  placeName,
  siteColor,
} from './settings.ts'

const maxNameLength = 100

const maxLogoLength = 500

/** Maximum lengths of the fields of the form. The longest color name has 20 letters. */
export const maxSettingLengths = {
  name: maxNameLength,
  place: maxPlaceLength,
  color: 30,
  logo: maxLogoLength,
  fresh: 5,
  places: maxPlacesLength,
}

const siteName = oneLine(maxNameLength)

/** Unlike the setting, never the path of a file, because admins need not have access to the server. */
const logoUrl = z
  .string()
  .max(maxLogoLength, `must have at most ${maxLogoLength} characters`)
  .refine(isHttpsUrl, 'must be an https URL of a PNG, JPEG, WebP or GIF picture')

/** Settings changed on the admin page. A missing setting has its default value. */
export type StoredSettings = {
  readonly name?: string | undefined
  readonly place?: string | undefined
  /** An https URL. */
  readonly logo?: string | undefined
  /** Six hex digits after `#`. */
  readonly color?: string | undefined
  readonly publicFeeds?: readonly string[] | undefined
  readonly places?: readonly Place[] | undefined
  /** Interval between reads of the website. */
  readonly freshSeconds?: number | undefined
  /** True if the settings could not be read. No feed is public then. */
  readonly isDamaged?: boolean | undefined
}

const damaged: StoredSettings = { publicFeeds: [], isDamaged: true }

const stored = z.object({
  name: siteName.optional().catch(undefined),
  place: placeName.optional().catch(undefined),
  color: siteColor.optional().catch(undefined),
  logo: logoUrl.optional().catch(undefined),
  places: storedPlaces.optional().catch(undefined),
  freshSeconds: z.number().transform(String).pipe(freshSeconds).optional().catch(undefined),
  publicFeeds: z
    .array(z.string())
    .transform((ids) => ids.filter((id) => publishableFeeds.some((feed) => feed.id === id)))
    .optional(),
})

/** Parses stored settings. Ignores values that this version cannot use, except for the public feeds. */
export function parseStoredSettings(text: string | undefined): StoredSettings {
  try {
    return stored.safeParse(JSON.parse(text ?? '{}')).data ?? damaged
  } catch {
    return damaged
  }
}

const fields = { name: siteName, place: placeName, color: siteColor, logo: logoUrl }

/** Reads the fields of a form. An empty field stands for the default. */
export function readSettings(sent: {
  readonly name: string
  readonly place: string
  readonly color: string
  readonly logo: string
  /** Undefined for the default. */
  readonly publicFeeds: readonly string[] | undefined
  /** One place per line. */
  readonly places: string
  readonly fresh: string
}):
  | { readonly ok: true; readonly settings: StoredSettings }
  | { readonly ok: false; readonly faults: readonly string[] } {
  const settings: { -readonly [Name in keyof StoredSettings]: StoredSettings[Name] } = {}
  const faults: string[] = []
  for (const name of ['name', 'place', 'color', 'logo'] as const) {
    const text = sent[name].trim()
    if (text === '') continue
    const { data, error } = fields[name].safeParse(text)
    if (error) faults.push(`The ${name} ${error.issues[0]?.message}.`)
    settings[name] = data
  }
  if (sent.publicFeeds) {
    const { data, error } = feedList.safeParse(sent.publicFeeds.join(','))
    if (error) faults.push(`The public feeds ${error.issues[0]?.message}.`)
    settings.publicFeeds = data
  }
  if (sent.fresh.trim() !== '') {
    const { data, error } = freshSeconds.safeParse(sent.fresh.trim())
    if (error) faults.push(`The interval ${error.issues[0]?.message}.`)
    settings.freshSeconds = data
  }
  if (sent.places.trim() !== '') {
    const reading = readPlaceLines(sent.places)
    faults.push(...reading.faults)
    settings.places = reading.places
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, settings }
}

type Configured = {
  readonly site: SiteSettings
  readonly publicFeeds: readonly string[]
  readonly freshMs: number
}

/** Replaces the settings from the environment that an admin has changed. */
export function withStoredSettings<T extends Configured>(config: T, changed: StoredSettings): T {
  const { name, place, color, logo, publicFeeds, places, freshSeconds } = changed
  const { site } = config
  const identity = {
    ...site.identity,
    place: place ?? site.identity?.place,
    color: color ?? site.identity?.color,
    logo: logo ?? site.identity?.logo,
  }
  return {
    ...config,
    site: { ...site, name: name ?? site.name, identity, places: places ?? site.places },
    publicFeeds: publicFeeds ?? config.publicFeeds,
    freshMs: freshSeconds === undefined ? config.freshMs : freshSeconds * 1000,
  }
}
