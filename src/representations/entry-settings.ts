import { settingsInEntries, type Site } from '../feeds/site.ts'
import { hashOf } from '../collections/copy/ledger.ts'
import { parsedJson } from '../json.ts'
import { wholeSeconds } from '../records/recorded-change.ts'
import { withFallback } from '../store/store-error.ts'
import { updatedState, type Documents } from '../store/store.ts'

export const entrySettingsBucket = 'entry-settings'

/** Maximum number of settings to remember, including removed ones. */
const maxRemembered = 2_000

/** Hash of each setting, and when it last changed, or 0 if it has not changed since the first start. */
type Setting = readonly [name: string, state: readonly [hash: string, changedAt: number]]

type Stored = Readonly<Record<Setting[0], Setting[1]>>

/**
 * Records the settings that calendar entries show, and returns when each of them last changed, in
 * milliseconds since the epoch. Some apps ignore a changed entry unless its LAST-MODIFIED is later.
 * All replicas share these times. An export has its own times, because it ignores the admin page.
 */
export async function entrySettingsChangedAt(
  documents: Documents,
  site: Site,
  { now, id = 'site' }: { readonly now: number; readonly id?: 'site' | 'export' },
): Promise<Site['entrySettingsChangedAt']> {
  const current = settingsInEntries(site)
  const next = (before: Stored | undefined) => stateAfter(before, current, now)
  const state = await withFallback(() =>
    updatedState(documents, { bucket: entrySettingsBucket, id }, next),
  )
  return timesIn(state)
}

/** Returns when these settings last changed, for commands that show a site as the service does. */
export async function storedEntrySettings(
  documents: Documents,
): Promise<Site['entrySettingsChangedAt']> {
  const stored = await documents.get(entrySettingsBucket, 'site')
  return timesIn(parsedJson(stored?.value ?? '') as Stored | undefined)
}

function timesIn(state: Stored = {}): Readonly<Record<string, number>> {
  const changed = Object.entries(state).filter(([, [, at]]) => at > 0)
  return Object.fromEntries(changed.map(([name, [, at]]) => [name, at]))
}

function stateAfter(
  before: Stored | undefined,
  current: ReadonlyMap<string, unknown>,
  now: number,
): Stored {
  // Later than the entries, which may have changed in the same second.
  const changedAt = wholeSeconds(now) + 1_000
  const known = new Map(Object.entries(before ?? {}))
  const after = [...new Set([...current.keys(), ...known.keys()])].map((name): Setting => {
    const hash = current.has(name) ? hashOf(current.get(name)) : ''
    const [hashBefore = '', at = 0] = known.get(name) ?? []
    const later = before ? Math.max(changedAt, at + 1_000) : 0
    return [name, [hash, hash === hashBefore ? at : later]]
  })
  const latest = after.toSorted(([, [, a]], [, [, b]]) => b - a).slice(0, maxRemembered)
  return Object.fromEntries(latest)
}
