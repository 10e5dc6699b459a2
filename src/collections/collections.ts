import type { Clock } from '../clock.ts'
import type { FeedResource } from '../records/resources.ts'
import { siteDateAt } from '../records/site-time.ts'
import { createAttempts } from './schedule/attempts.ts'
import { createBackoff, type Failure } from './schedule/backoff.ts'
import { CollectionUnavailable, type Collection } from './collection.ts'
import { createDemand } from './schedule/demand.ts'
import { createDetailReadings } from './schedule/detail-refresh.ts'
import { detailIntervalMs, readingIntervalMs, type Load } from './schedule/freshness.ts'
import { adviceFor } from '../upstream/advice.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import { createCollectionSync, type KeeperOptions } from './copy/collection-sync.ts'
import type { CollectionCopy } from './copy/collection-copy.ts'
import { refusalSentence, type ServedFeeds } from './status/refusal-sentence.ts'
import type { Refusal } from './copy/refused-endpoints.ts'
import { upcoming } from './copy/sign-up-details.ts'

const firstCopyWaitMs = 10_000
const firstCopyNapMs = 500
const unavailableRetryMs = 10_000

/** Whoever has it read once may wait this long. */
const readOnceWaitMs = 60_000

/** How often it is looked what is due and what other replicas have stored. */
const tickMs = 5_000

/** How long one replica's attempt counts for all while the site is out of order. */
const probeMs = 50_000

/** Disposing waits for what is under way, which ends with the signal. */
export type Collections = AsyncDisposable & {
  /** The last good copy at once. Waits for the very first one, else `CollectionUnavailable`. */
  readonly read: <R extends FeedResource>(resource: R) => Promise<Collection<R>>
  /**
   * Reads it from the website once, and the details of its records, as far as that is due; for who
   * does not start to keep it fresh. Resolves when that is done, has failed or takes too long.
   */
  readonly readDue: (resource: FeedResource) => Promise<void>
  /** That somebody reads it, where what was made of it answers. */
  readonly recordRead: (resource: FeedResource) => void
  /** Calls the listener whenever the last good copy of a resource has become another. */
  readonly onChange: (listener: () => void) => void
  /** Whether there is nothing to show of it for as long as the API Project may not read it. */
  readonly isSwitchedOff: (resource: FeedResource) => boolean
  /** The last good copy, when there is one. */
  readonly copyOf: <R extends FeedResource>(resource: R) => Collection<R> | undefined
  /** Takes over what is stored. */
  readonly load: () => Promise<void>
  /** Starts to keep every collection fresh; what nobody has asked for, only after a while. */
  readonly start: (afterMs?: number) => void
  readonly states: () => readonly CollectionState[]
  /** Why the store cannot be used now, in a sentence. */
  readonly storeFailure: () => string | undefined
}

export type CollectionState = {
  readonly resource: FeedResource
  readonly feeds: ServedFeeds
  /** That the API Project may not read it. */
  readonly refusal: Refusal | undefined
  readonly kept: CollectionCopy | undefined
  readonly failure: Failure | undefined
  /** Of the calls for the details of its records. */
  readonly detailFailures: readonly Failure[]
  /** At which interval it is read at present. */
  readonly intervalMs: number
}

export type CollectionsOptions = Omit<KeeperOptions, 'clock' | 'onChange'> & {
  readonly clock: Clock
  readonly feedsOf: (resource: FeedResource) => ServedFeeds
  readonly freshMs: number
  readonly callsPerDay: number
  /** Calls in the last 24 hours. */
  readonly usedToday: () => Promise<number>
  /** From 0 up to 1. */
  readonly random: () => number
  /** Ends the keeping fresh. */
  readonly signal: AbortSignal
}

/** Keeps the collections of these resources fresh, within the budget of calls. */
export function createCollections(options: CollectionsOptions): Collections {
  const { clock, log, resources, feedsOf, siteTimeZone } = options
  const { freshMs, callsPerDay, random, signal } = options
  /** What was refused before, this process tries for itself. */
  let triesFrom = clock.now()
  const listeners: (() => void)[] = []
  const onChange = () => {
    for (const listener of listeners) listener()
  }
  const keeper = createCollectionSync({ ...options, onChange })
  const allowed = () => resources().filter((resource) => !keeper.refusalOf(resource))
  // What may not be read says nothing of the site.
  const backoff = createBackoff({ clock, random, keyCount: () => Math.max(1, allowed().length) })
  const attempts = createAttempts({ backoff, clock, log, signal, adviceOn })
  const demand = createDemand(clock)
  const detailReadings = createDetailReadings({ keeper, backoff, clock, random, log, signal })
  let usedToday = 0
  let pulling: Promise<void> | undefined
  let running: Promise<void> | undefined
  let unaskedFrom = 0

  const copyOf = <R extends FeedResource>(resource: R) => keeper.kept(resource)?.collection

  const today = () => siteDateAt(clock.now(), siteTimeZone)

  function currentLoad(day = today()): Load {
    const callsPerRound = allowed().reduce((sum, name) => sum + (keeper.kept(name)?.calls ?? 1), 0)
    const details = upcoming(copyOf('signup')?.records ?? [], day).length
    return { freshMs, callsPerDay, usedToday, callsPerRound, details }
  }

  function intervalOf(resource: FeedResource, load: Load): number {
    // What is held is read again until it is believed or better.
    return readingIntervalMs(load, demand.isIdle(resource) && !keeper.kept(resource)?.held)
  }

  function isDue(resource: FeedResource, load: Load): boolean {
    const readAt = keeper.kept(resource)?.readAt ?? 0
    // Also what a clock that was far ahead has noted.
    return Math.abs(clock.now() - readAt) >= intervalOf(resource, load)
  }

  function refresh(resource: FeedResource): Promise<void> {
    const priority = () => demand.priorityOf(resource)
    return attempts.join(resource, () =>
      keeper.refresh(resource, { priority, isDue: () => isDue(resource, currentLoad()) }),
    )
  }

  function refreshDetails(): void {
    if (demand.isIdle('signup') || attempts.isUnderWay('signup')) return
    const day = today()
    detailReadings.readNext({ today: day, intervalMs: detailIntervalMs(currentLoad(day)) })
  }

  /** Callers at the same moment share one look at the store. */
  function pull(): Promise<void> {
    pulling ??= pullNow().finally(() => {
      pulling = undefined
    })
    return pulling
  }

  async function pullNow(): Promise<void> {
    await keeper.pull()
    for (const resource of resources()) {
      const { lastAt = Infinity } = backoff.failureOf(resource) ?? {}
      // Another replica has read it since.
      if ((keeper.kept(resource)?.readAt ?? 0) > lastAt) backoff.succeeded(resource)
    }
    for (const resource of resources()) adoptRefusal(resource)
    if (!(await keeper.consumeRetryRequest())) return
    triesFrom = clock.now()
    backoff.forget()
    detailReadings.forget()
  }

  /** What another replica is refused need not be tried here too. */
  function adoptRefusal(resource: FeedResource): void {
    const refusal = keeper.refusalOf(resource)
    const knownAt = backoff.ownFailureOf(resource)?.lastAt ?? triesFrom
    if (!refusal || refusal.at <= knownAt) return
    const message = `${resource}: endpoint_not_allowed, as another replica has been told`
    backoff.failed(resource, new UpstreamError('endpoint_not_allowed', message))
  }

  const isSwitchedOff = (resource: FeedResource) =>
    keeper.refusalOf(resource) !== undefined && !copyOf(resource)

  async function tick(): Promise<void> {
    await pull()
    usedToday = await options.usedToday()
    const load = currentLoad()
    const due = resources()
      .filter((resource) => isDue(resource, load) && backoff.mayTry(resource))
      .filter((resource) => clock.now() >= unaskedFrom || demand.hasBeenRead(resource))
      // The two would write over each other's.
      .filter((resource) => resource !== 'signup' || !detailReadings.isUnderWay())
      .sort(
        (a, b) =>
          (backoff.failureOf(a)?.consecutiveFailures ?? 0) -
          (backoff.failureOf(b)?.consecutiveFailures ?? 0),
      )
    if (!backoff.isOutage()) {
      for (const resource of due) void refresh(resource)
      return refreshDetails()
    }
    const [probe] = due
    const mayProbe = probe !== undefined && attempts.areAllOver()
    if (mayProbe && (await keeper.isAlone('probe', probeMs))) void refresh(probe)
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await tick().catch((error: unknown) => log.error({ err: error }, 'keeping fresh failed'))
      await clock.sleep(tickMs, signal).catch(() => undefined)
    }
  }

  /** Attempts it until that is done, or has failed, or it is too late. */
  async function attempt(
    resource: FeedResource,
    isDone: () => boolean,
    ending: AbortSignal,
  ): Promise<void> {
    const isOver = () => ending.aborted || isDone() || backoff.failureOf(resource) !== undefined
    while (!isOver()) {
      await refresh(resource)
      if (isOver()) return
      // Another replica is at it.
      await clock.sleep(firstCopyNapMs, ending).catch(() => undefined)
      await pull()
    }
  }

  function adviceOn(name: string, error: UpstreamError): string {
    const resource = resources().find((each) => each === name)
    if (!resource || error.kind !== 'endpoint_not_allowed') return adviceFor(error)
    const copy = copyOf(resource)
    const readAt = copy && new Date(copy.fetchedAt).toISOString()
    return refusalSentence(resource, feedsOf(resource), readAt)
  }

  /** Does work that somebody waits for, no longer than this. */
  async function waitedFor(
    resource: FeedResource,
    waitMs: number,
    work: (ending: AbortSignal) => Promise<void>,
  ): Promise<void> {
    using _waiting = demand.addWaiter(resource)
    const over = new AbortController()
    const ending = AbortSignal.any([signal, over.signal])
    const enough = clock.sleep(waitMs, ending).catch(() => undefined)
    await Promise.race([work(ending), enough])
    over.abort()
  }

  /** One after the other, each sheet once at most. */
  async function readDetailsDue(ending: AbortSignal): Promise<void> {
    const sheets = upcoming(copyOf('signup')?.records ?? [], today())
    for (let count = 0; count < sheets.length && !ending.aborted; count += 1) {
      refreshDetails()
      if (!detailReadings.isUnderWay()) return
      await detailReadings.over()
    }
  }

  return {
    async read<R extends FeedResource>(resource: R) {
      demand.recordRead(resource)
      const copy = copyOf(resource)
      if (copy) return copy
      const isThere = () => copyOf(resource) !== undefined || isSwitchedOff(resource)
      await waitedFor(resource, firstCopyWaitMs, (ending) => attempt(resource, isThere, ending))
      const first = copyOf(resource)
      if (first) return first
      const failure = backoff.failureOf(resource)
      const waitMs = failure ? failure.retryAt - clock.now() : unavailableRetryMs
      throw new CollectionUnavailable(
        resource,
        isSwitchedOff(resource) ? 'not allowed' : 'not read yet',
        { retryAfterMs: Math.max(1000, waitMs), cause: failure?.error },
      )
    },
    async readDue(resource) {
      demand.recordRead(resource)
      usedToday = await options.usedToday()
      await waitedFor(resource, readOnceWaitMs, async (ending) => {
        await attempt(resource, () => !isDue(resource, currentLoad()), ending)
        if (resource === 'signup') await readDetailsDue(ending)
      })
    },
    recordRead: demand.recordRead,
    isSwitchedOff,
    onChange: (listener) => void listeners.push(listener),
    copyOf,
    load: pull,
    start(afterMs = 0) {
      unaskedFrom = clock.now() + afterMs
      running = run()
    },
    states() {
      const load = currentLoad()
      return resources().map((resource) => ({
        resource,
        feeds: feedsOf(resource),
        refusal: keeper.refusalOf(resource),
        kept: keeper.kept(resource),
        failure: backoff.failureOf(resource),
        detailFailures: resource === 'signup' ? detailReadings.failures(today()) : [],
        intervalMs: intervalOf(resource, load),
      }))
    },
    storeFailure: () => keeper.storeFailure()?.message,
    async [Symbol.asyncDispose]() {
      await running
      await Promise.all([attempts.allOver(), detailReadings.over()])
    },
  }
}
