import { createHash } from 'node:crypto'
import NodeCache from 'node-cache'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { readRecords, type Resource } from '../records/read-records.ts'
import { siteDateAt } from '../records/site-time.ts'
import { adviceFor } from '../upstream/advice.ts'
import type { DataService } from '../upstream/data-service.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import { CollectionUnavailable, type Collection } from './collection.ts'
import { queryFor } from './queries.ts'

const firstCopyWaitMs = 10_000
const shortestRetryMs = 10_000
const loggedRejections = 5

/** Disposing waits for the schedules, which end with the signal. */
export type Collections = AsyncDisposable & {
  /** The last good copy at once. Waits for the very first one, else `CollectionUnavailable`. */
  readonly read: <R extends Resource>(resource: R) => Promise<Collection<R>>
  readonly held: (resource: Resource) => Collection | undefined
  /**
   * Reads the resource from the data service now; callers at the same moment share one reading.
   * Resolves also when it fails: the last good copy stays and the failure is logged.
   */
  readonly refresh: (resource: Resource) => Promise<void>
  /** Starts to keep every collection fresh. */
  readonly start: () => void
}

type Failure = { readonly error: unknown; readonly inARow: number; readonly retryAt: number }

function explained(error: UpstreamError) {
  return { kind: error.kind, reason: error.message, advice: adviceFor(error.kind) }
}

export function createCollections(options: {
  readonly dataService: DataService
  readonly clock: Clock
  readonly log: Logger
  /** What published feeds need. */
  readonly resources: readonly Resource[]
  readonly siteTimeZone: string
  readonly freshMs: number
  /** Ends the keeping fresh. */
  readonly signal: AbortSignal
}): Collections {
  const { dataService, clock, log, resources, siteTimeZone, freshMs, signal } = options
  // One key a resource; maxKeys would refuse to replace the last of them.
  const copies = new NodeCache({ useClones: false, checkperiod: 0 })
  const inFlight = new Map<Resource, Promise<void>>()
  const failures = new Map<Resource, Failure>()
  const schedules: Promise<void>[] = []

  const held = <R extends Resource>(resource: R) => copies.get<Collection<R>>(resource)

  async function fetch(resource: Resource): Promise<void> {
    const query = queryFor(resource, siteDateAt(clock.now(), siteTimeZone))
    const items = await dataService.readAll(resource, query)
    const { records, rejected } = readRecords(resource, items)
    const version = createHash('sha256').update(JSON.stringify(records)).digest('base64url')
    const previous = held(resource)
    const fetchedAt = clock.now()
    const changedAt = previous?.version === version ? previous.changedAt : fetchedAt
    copies.set(resource, { resource, records, rejected, fetchedAt, changedAt, version })
    failures.delete(resource)
    if (changedAt === fetchedAt)
      log.info({ resource, records: records.length }, 'collection changed')
    if (rejected.length > 0) {
      const some = rejected.slice(0, loggedRejections)
      log.warn({ resource, count: rejected.length, rejected: some }, 'records left out')
    }
  }

  function noteFailure(resource: Resource, error: unknown): void {
    const inARow = (failures.get(resource)?.inARow ?? 0) + 1
    const backoffMs = Math.min(freshMs, shortestRetryMs * 2 ** (inARow - 1))
    const askedMs = error instanceof UpstreamError ? error.retryAfterMs : undefined
    const waitMs = Math.max(askedMs ?? 0, backoffMs)
    failures.set(resource, { error, inARow, retryAt: clock.now() + waitMs })
    if (signal.aborted) return
    const isForeseen = error instanceof UpstreamError
    const why = isForeseen ? explained(error) : { err: error }
    log.warn({ resource, ...why, waitMs }, 'could not read the website')
  }

  function refresh(resource: Resource): Promise<void> {
    const running = inFlight.get(resource)
    if (running) return running
    const reading = fetch(resource)
      .catch((error: unknown) => noteFailure(resource, error))
      .finally(() => inFlight.delete(resource))
    inFlight.set(resource, reading)
    return reading
  }

  async function keepFresh(resource: Resource): Promise<void> {
    while (!signal.aborted) {
      await refresh(resource)
      const nextAt = failures.get(resource)?.retryAt ?? clock.now() + freshMs
      await clock.sleep(nextAt - clock.now(), signal).catch(() => undefined)
    }
  }

  async function firstReading(resource: Resource): Promise<void> {
    const read = new AbortController()
    const enough = clock.sleep(firstCopyWaitMs, AbortSignal.any([signal, read.signal]))
    await Promise.race([refresh(resource), enough]).catch(() => undefined)
    read.abort()
  }

  return {
    async read<R extends Resource>(resource: R) {
      if (!held(resource) && !failures.has(resource)) await firstReading(resource)
      const copy = held(resource)
      if (copy) return copy
      const failure = failures.get(resource)
      const retryAfterMs = failure ? failure.retryAt - clock.now() : shortestRetryMs
      throw new CollectionUnavailable(resource, Math.max(0, retryAfterMs), failure?.error)
    },
    held,
    refresh,
    start() {
      schedules.push(...resources.map(keepFresh))
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(schedules)
      copies.close()
    },
  }
}
