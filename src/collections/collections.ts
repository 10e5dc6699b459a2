import type { Clock } from '../clock.ts'
import type { FeedResource } from '../records/resources.ts'
import { siteDateAt } from '../records/site-time.ts'
import { createAttempts } from './attempts.ts'
import { createBackoff, type Failure } from './backoff.ts'
import { CollectionUnavailable, type Collection } from './collection.ts'
import { createDemand } from './demand.ts'
import { createDetailReadings } from './detail-readings.ts'
import { detailIntervalMs, readingIntervalMs, type Load } from './freshness.ts'
import { createKeeper, type KeeperOptions } from './keeper.ts'
import type { Kept } from './kept-collection.ts'
import { upcoming } from './sign-up-details.ts'

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
  readonly noteReader: (resource: FeedResource) => void
  /** Calls the listener whenever the last good copy of a resource has become another. */
  readonly onChange: (listener: () => void) => void
  /** The last good copy, when there is one. */
  readonly copyOf: <R extends FeedResource>(resource: R) => Collection<R> | undefined
  /** Takes over what is stored. */
  readonly load: () => Promise<void>
  /** Starts to keep every collection fresh. */
  readonly start: () => void
  readonly states: () => readonly CollectionState[]
  /** Why the store cannot be used now, in a sentence. */
  readonly storeFailure: () => string | undefined
}

export type CollectionState = {
  readonly resource: FeedResource
  readonly kept: Kept | undefined
  readonly failure: Failure | undefined
  /** Of the calls for the details of its records. */
  readonly detailFailures: readonly Failure[]
  /** At which interval it is read at present. */
  readonly intervalMs: number
}

export type CollectionsOptions = Omit<KeeperOptions, 'clock' | 'onChange'> & {
  readonly clock: Clock
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
  const { clock, log, resources, siteTimeZone, freshMs, callsPerDay, random, signal } = options
  const listeners: (() => void)[] = []
  const onChange = () => {
    for (const listener of listeners) listener()
  }
  const keeper = createKeeper({ ...options, onChange })
  const backoff = createBackoff({ clock, random, names: () => resources().length })
  const attempts = createAttempts({ backoff, clock, log, signal })
  const demand = createDemand(clock)
  const detailReadings = createDetailReadings({ keeper, backoff, clock, random, log, signal })
  let usedToday = 0
  let pulling: Promise<void> | undefined
  let running: Promise<void> | undefined

  const copyOf = <R extends FeedResource>(resource: R) => keeper.kept(resource)?.collection

  const today = () => siteDateAt(clock.now(), siteTimeZone)

  function presentLoad(): Load {
    const callsPerRound = resources().reduce(
      (sum, name) => sum + (keeper.kept(name)?.calls ?? 1),
      0,
    )
    const details = upcoming(copyOf('signup')?.records ?? [], today()).length
    return { freshMs, callsPerDay, usedToday, callsPerRound, details }
  }

  function intervalOf(resource: FeedResource): number {
    // What is held is read again until it is believed or better.
    return readingIntervalMs(presentLoad(), demand.isIdle(resource) && !keeper.kept(resource)?.held)
  }

  function isDue(resource: FeedResource): boolean {
    const readAt = keeper.kept(resource)?.readAt ?? 0
    // Also what a clock that was far ahead has noted.
    return Math.abs(clock.now() - readAt) >= intervalOf(resource)
  }

  function refresh(resource: FeedResource): Promise<void> {
    const priority = () => demand.priorityOf(resource)
    return attempts.join(resource, () =>
      keeper.refresh(resource, { priority, isDue: () => isDue(resource) }),
    )
  }

  function refreshDetails(): void {
    if (demand.isIdle('signup') || attempts.isUnderWay('signup')) return
    detailReadings.readNext({ today: today(), intervalMs: detailIntervalMs(presentLoad()) })
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
    if (!(await keeper.isToldToTryAgain())) return
    backoff.forget()
    detailReadings.forget()
  }

  async function tick(): Promise<void> {
    await pull()
    usedToday = await options.usedToday()
    const due = resources()
      .filter((resource) => isDue(resource) && backoff.mayTry(resource))
      // The two would write over each other's.
      .filter((resource) => resource !== 'signup' || !detailReadings.isUnderWay())
      .sort((a, b) => (backoff.failureOf(a)?.inARow ?? 0) - (backoff.failureOf(b)?.inARow ?? 0))
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

  /** Does work that somebody waits for, no longer than this. */
  async function waitedFor(
    resource: FeedResource,
    waitMs: number,
    work: (ending: AbortSignal) => Promise<void>,
  ): Promise<void> {
    using _waiting = demand.noteWaiting(resource)
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
      demand.noteReader(resource)
      const copy = copyOf(resource)
      if (copy) return copy
      const isThere = () => copyOf(resource) !== undefined
      await waitedFor(resource, firstCopyWaitMs, (ending) => attempt(resource, isThere, ending))
      const first = copyOf(resource)
      if (first) return first
      const failure = backoff.failureOf(resource)
      const retryAfterMs = failure ? failure.retryAt - clock.now() : unavailableRetryMs
      throw new CollectionUnavailable(resource, Math.max(1000, retryAfterMs), failure?.error)
    },
    async readDue(resource) {
      demand.noteReader(resource)
      usedToday = await options.usedToday()
      await waitedFor(resource, readOnceWaitMs, async (ending) => {
        await attempt(resource, () => !isDue(resource), ending)
        if (resource === 'signup') await readDetailsDue(ending)
      })
    },
    noteReader: demand.noteReader,
    onChange: (listener) => void listeners.push(listener),
    copyOf,
    load: pull,
    start() {
      running = run()
    },
    states: () =>
      resources().map((resource) => ({
        resource,
        kept: keeper.kept(resource),
        failure: backoff.failureOf(resource),
        detailFailures: resource === 'signup' ? detailReadings.failures(today()) : [],
        intervalMs: intervalOf(resource),
      })),
    storeFailure: () => keeper.storeFailure()?.message,
    async [Symbol.asyncDispose]() {
      await running
      await Promise.all([attempts.allOver(), detailReadings.over()])
    },
  }
}
