import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../clock.ts'
import type { Collections } from '../collections/collections.ts'
import type { CombinedSource } from '../feeds/combined-feed.ts'
import type { Feed } from '../feeds/feed.ts'
import {
  occasionsIn,
  sharedOccasions,
  type KnownOccasions,
  type OccasionMemory,
} from '../feeds/shared-occasions.ts'
import type { Site } from '../feeds/site.ts'
import { parsedJson } from '../links/stored-uses.ts'
import type { Logger } from '../log.ts'
import { createStoreAccess } from '../store/store-access.ts'
import type { Documents } from '../store/store.ts'

export const occasionBucket = 'occasions'

/** Maximum number of write attempts. An attempt fails if another replica writes at the same time. */
const maxAttempts = 3

type Profile = Parameters<OccasionMemory['occasionsFor']>[0]

type Latest = {
  readonly ledgers: readonly unknown[]
  /** Revision of the stored document. */
  readonly revision: number
  readonly occasions: KnownOccasions
}

/** Creates a memory in the store, which all replicas share. */
export function createOccasionMemory(options: {
  readonly documents: Pick<Documents, 'get' | 'write'>
  readonly feeds: readonly Feed[]
  readonly collections: Pick<Collections, 'copyOf'>
  readonly site: Site
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
}): OccasionMemory {
  const { documents, feeds, collections, site, clock, log } = options
  const access = createStoreAccess(log)
  const calendars = feeds.filter((feed) => 'calendarPart' in feed)
  const latest = new Map<Profile, Latest>()

  /** Returns the occasions after the latest changes, starting from the stored ones. */
  function after(before: KnownOccasions, profile: Profile, sources: readonly CombinedSource[]) {
    const occasions = sharedOccasions(before, sources, { site, profile, now: clock.now() })
    return isDeepStrictEqual(occasions, before) ? before : occasions
  }

  /** Updates the stored occasions. Resolves to undefined if other replicas keep writing first. */
  async function update(
    profile: Profile,
    sources: readonly CombinedSource[],
  ): Promise<KnownOccasions | undefined> {
    const ledgers = sources.map(({ source }) => source.ledger)
    const document = { bucket: occasionBucket, id: profile }
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const stored = await documents.get(document.bucket, document.id)
      const revision = stored?.revision ?? 0
      const known = latest.get(profile)
      const isKnown = known?.revision === revision
      if (isKnown && areSame(known.ledgers, ledgers)) return known.occasions
      const before = isKnown ? known.occasions : occasionsFrom(stored?.value)
      const occasions = after(before, profile, sources)
      const isStored = occasions === before
      const write = { ...document, value: JSON.stringify(occasions) }
      if (isStored || (await documents.write([write], { ...document, revision }))) {
        latest.set(profile, { ledgers, revision: isStored ? revision : revision + 1, occasions })
        return occasions
      }
    }
    return undefined
  }

  function occasionsFrom(text: string | undefined): KnownOccasions {
    if (text === undefined) return []
    const stored = occasionsIn(parsedJson(text))
    if (!stored) log.warn('the stored occasions are invalid and are being replaced')
    return stored ?? []
  }

  return {
    async occasionsFor(profile) {
      const sources = calendars.flatMap((feed) => {
        const source = collections.copyOf(feed.resource)
        return source ? [{ feed, source }] : []
      })
      const stored = await access.use('occasions', () => update(profile, sources), undefined)
      // Without the store, a replica relies on what it knows.
      return stored ?? after(latest.get(profile)?.occasions ?? [], profile, sources)
    },
  }
}

function areSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((ledger, index) => ledger === b[index])
}
