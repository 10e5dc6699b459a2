import { LRUCache } from 'lru-cache'
import type { Clock } from '../../clock.ts'
import { createClientLimit } from '../server/client-limit.ts'
import { TooManyRequests } from '../errors.ts'

/** A station's screens speak a few; each new one takes a millisecond to make date formats for. */
const newLanguages = { maxConcurrent: 20, oneMoreMs: 60_000 }
const maxRecent = 100
const maxTagLength = 35

/** Numbers that are no region are read as this one. */
const unknownRegion = 'ZZ'

const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/**
 * The language of a BCP 47 tag, with its region if it has one (`de`, `de-AT`); undefined if dates cannot
 * be written in it. A script stays where the language and region stand for another one (`sr-Latn-RS`);
 * variants and extensions are dropped: there is no end of them.
 */
export function languageFrom(tag: string): string | undefined {
  const locale = localeFrom(tag)
  if (!locale) return undefined
  const { language, script, region } = locale
  if (Intl.DateTimeFormat.supportedLocalesOf(language).length === 0) return undefined
  if (region === undefined) return language
  if (region === unknownRegion || regionNames.of(region) === undefined) return undefined
  const short = `${language}-${region}`
  if (script === undefined || new Intl.Locale(short).maximize().script === script) return short
  const long = `${language}-${script}-${region}`
  return Intl.DateTimeFormat(long).resolvedOptions().locale.includes(script) ? long : undefined
}

/** With the region that a script stands for, which decides how Chinese is written. */
function localeFrom(tag: string): Intl.Locale | undefined {
  if (tag.length > maxTagLength) return undefined
  try {
    const locale = new Intl.Locale(tag)
    return locale.script === undefined ? locale : locale.maximize()
  } catch {
    return undefined
  }
}

export type BoardLanguages = {
  /** Throws `TooManyRequests` if the client has asked for too many that nobody used lately. */
  readonly admit: (language: string, client: string) => void
}

/** Bounds how many different languages one client can make the server write boards in. */
export function createBoardLanguages(clock: Pick<Clock, 'now'>): BoardLanguages {
  const recent = new LRUCache<string, true>({ max: maxRecent })
  const limit = createClientLimit(clock, newLanguages)
  return {
    admit(language, client) {
      if (recent.get(language)) return
      const waitMs = limit.take(client)
      if (waitMs !== undefined) throw new TooManyRequests('too many variants', waitMs)
      recent.set(language, true)
    },
  }
}
