import { z } from 'zod'
import { publishableFeeds } from '../feeds/catalog.ts'
import { databaseFeedsSchema, type DatabaseSettings } from '../feeds/database-settings.ts'
import { parsedJson } from '../json.ts'
import type { SiteSettings } from './config.ts'
import { readPlaceLines, storedPlaces } from './places.ts'
import { invisibleFault } from './invisible-characters.ts'
import { feedList, freshSeconds, reservedNames } from './settings.ts'
import { eachText, textNames, textSettings } from './text-settings.ts'

/** Prefix of the setting for an uploaded logo, followed by a hash of its content. */
export const uploadedLogo = 'uploaded:'

/** Feeds of custom databases, in the syntax of `DATABASE_FEEDS`. */
export const databaseFeedsText = z.string().superRefine((text, context) => {
  const { error } = databaseFeedsSchema(reservedNames).safeParse(text)
  for (const { message } of error?.issues ?? []) context.addIssue({ code: 'custom', message })
})

const stored = z.object({
  ...eachText((name) => textSettings[name].schema.optional().catch(undefined)),
  logo: z
    .union([textSettings.logo.schema, z.string().startsWith(uploadedLogo)])
    .optional()
    .catch(undefined),
  places: storedPlaces.optional().catch(undefined),
  freshSeconds: z.number().transform(String).pipe(freshSeconds).optional().catch(undefined),
  databaseFeeds: z.string().optional().catch(undefined),
  publicFeeds: z
    .array(z.string())
    .transform((ids): readonly string[] =>
      ids.filter((id) => publishableFeeds.some((feed) => feed.id === id)),
    )
    .optional(),
  /** True if the store has lost the settings. In that case, no feed is public. */
  isLost: z.boolean().optional().catch(undefined),
})

export const settingsDocument = { bucket: 'settings', id: 'site' }

/** Settings changed on the admin page. Missing settings have their default values. */
export type StoredSettings = Readonly<z.infer<typeof stored>> & {
  /** True if the settings could not be read. In that case, no feed is public. */
  readonly isDamaged?: boolean
}

const damaged: StoredSettings = { publicFeeds: [], isDamaged: true }

/** Parses stored settings. Ignores values that this version cannot use, except for the public feeds. */
export function parseStoredSettings(text: string | undefined): StoredSettings {
  return stored.safeParse(parsedJson(text ?? '{}')).data ?? damaged
}

/** Returns the stored form of settings with which no feed is public, until an admin saves others. */
export function closedSettings(text: string | undefined): string {
  const settings: StoredSettings = { ...parseStoredSettings(text), publicFeeds: [], isLost: true }
  return JSON.stringify(settings)
}

/**
 * Returns settings from a backup, but keeps feeds private that are private now. `defaults` are the
 * public feeds of a store that has no setting for them, or undefined if the store is empty.
 */
export function restoredSettings(
  text: string,
  before: string | undefined,
  defaults: readonly string[] | undefined,
): string {
  const settings = parseStoredSettings(text)
  const { publicFeeds: chosen, isLost, isDamaged } = parseStoredSettings(before)
  const { publicFeeds: restored = chosen } = settings
  const current = chosen ?? defaults
  if (!restored || !current || isLost || isDamaged || settings.isDamaged) return text
  const open = restored.filter((id) => current.includes(id))
  return JSON.stringify({ ...settings, publicFeeds: open })
}

export const textFields = [...textNames, 'places', 'fresh'] as const

export type SettingsForm = Readonly<Record<(typeof textFields)[number], string>> & {
  readonly publicFeeds: readonly string[] | undefined
}

/** An invalid value. `fault` is the end of an English sentence about the field. */
export type SettingFault = {
  readonly field: keyof SettingsForm
  readonly fault: string
  /** True if the value contains an invisible character. */
  readonly isInvisible: boolean
}

/** Reads the fields of a form. An empty field means the default. */
export function readSettings(sent: SettingsForm) {
  const faults: SettingFault[] = []
  function report(field: keyof SettingsForm, text: string, fault?: string): void {
    const invisible = invisibleFault(text)
    const wrong = invisible ?? fault
    if (wrong !== undefined) {
      faults.push({ field, fault: wrong, isInvisible: invisible !== undefined })
    }
  }
  const read = <T>(field: keyof SettingsForm, schema: z.ZodType<T>, text: string) => {
    const { data, error } = schema.safeParse(text)
    report(field, text, error?.issues[0]?.message)
    return data
  }
  const readText = <T>(field: keyof SettingsForm, schema: z.ZodType<T>, text: string) =>
    text.trim() === '' ? undefined : read(field, schema, text.trim())
  const reading = sent.places.trim() === '' ? undefined : readPlaceLines(sent.places)
  report('places', sent.places, reading?.fault)
  const settings = {
    ...eachText((name) => readText(name, textSettings[name].schema, sent[name])),
    publicFeeds: sent.publicFeeds && read('publicFeeds', feedList, sent.publicFeeds.join(',')),
    freshSeconds: readText('fresh', freshSeconds, sent.fresh),
    places: reading?.places,
  }
  const { faults: placeFaults = [] } = reading ?? {}
  return faults.length + placeFaults.length > 0
    ? ({ ok: false, faults, placeFaults } as const)
    : ({ ok: true, settings } as const)
}

type Configured = {
  readonly site: SiteSettings
  readonly publicFeeds: readonly string[]
  readonly freshMs: number
}

/** Replaces the settings from the environment that an admin has changed. */
export function withStoredSettings<T extends Configured>(config: T, changed: StoredSettings): T {
  const { publicFeeds, places, freshSeconds } = changed
  const databases = databasesFrom(changed.databaseFeeds)
  const { site, freshMs } = config
  const { name, language, ...identity } = givenIn(eachText((text) => changed[text]))
  return {
    ...config,
    ...givenIn({ publicFeeds }),
    site: {
      ...site,
      ...givenIn({ name, language, places, databases }),
      identity: { ...site.identity, ...identity },
    },
    freshMs: freshSeconds === undefined ? freshMs : freshSeconds * 1000,
  }
}

/** Omits undefined values. */
function givenIn<T extends object>(values: T) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as { [Name in keyof T]?: NonNullable<T[Name]> }
}

/** Returns the custom databases chosen on the admin page, or undefined if none were saved. */
export function databasesFrom(text: StoredSettings['databaseFeeds']) {
  return text === undefined ? undefined : readStoredDatabases(text).databases
}

/** Returns a sentence for each saved custom database that this version cannot use. */
export function databaseFaults({ databaseFeeds = '' }: StoredSettings): readonly string[] {
  return readStoredDatabases(databaseFeeds).faults
}

function readStoredDatabases(text: string) {
  const schema = databaseFeedsSchema(reservedNames)
  const faults: string[] = []
  let databases: readonly DatabaseSettings[] = []
  let usable = ''
  for (const setting of text.split(/[;\n]/)) {
    const { data, error } = schema.safeParse(`${usable};${setting}`)
    if (data) [databases, usable] = [data, `${usable};${setting}`]
    const message = error?.issues[0]?.message
    if (message !== undefined) faults.push(`The saved database feed ${setting.trim()} ${message}.`)
  }
  return { databases, faults }
}
