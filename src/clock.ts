import { setTimeout as sleepFor } from 'node:timers/promises'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Current time, passed as a dependency, in milliseconds since the epoch. */
export type TimeSource = { readonly now: () => number }

export type Clock = TimeSource & {
  /** Rejects with the signal's reason when aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Calls `run` once. Returns a function that cancels it. */
  readonly after: (ms: number, run: () => void) => () => void
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) => sleepFor(ms, undefined, signal ? { signal } : {}),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/**
 * Waking up the process costs more than most work that runs on an interval, so sites share
 * wake-ups.
 */
const wakeUpMs = 100

/** Functions that run at the same times, and share a timer until they have all been removed. */
type Round = { readonly runs: Set<() => void>; cancel: () => void }

/** Rounds by interval and phase, for each clock. */
const roundsOf = new WeakMap<Clock['after'], Map<string, Round>>()

/**
 * Runs `work` now, and then at multiples of `intervalMs`, until aborted. Skips the times at which it
 * is still running. Otherwise, every stall would make the work of more sites coincide.
 */
export async function every(
  clock: Clock,
  intervalMs: number,
  signal: AbortSignal,
  work: () => unknown,
): Promise<void> {
  if (signal.aborted) return
  const startedAt = clock.now() - (clock.now() % wakeUpMs)
  const ended = Promise.withResolvers<void>()
  let isBusy = false

  function run(): void {
    try {
      const working = work()
      if (!(working instanceof Promise)) return
      isBusy = true
      working.then(finish, ended.reject)
    } catch (error) {
      ended.reject(error)
    }
  }

  function finish(): void {
    isBusy = false
    if (signal.aborted) ended.resolve()
  }

  function runAgain(): void {
    const elapsedMs = clock.now() - startedAt
    const isFirst = elapsedMs >= 0 && elapsedMs < intervalMs
    if (!isBusy && !isFirst && !signal.aborted) run()
  }

  const leave = join(clock, intervalMs, startedAt % intervalMs, runAgain)
  const end = () => (isBusy ? undefined : ended.resolve())
  signal.addEventListener('abort', end, { once: true })
  run()
  try {
    await ended.promise
  } finally {
    leave()
    signal.removeEventListener('abort', end)
  }
}

/** Adds a function to the others that run at these times. Returns a function that removes it. */
function join(clock: Clock, intervalMs: number, phaseMs: number, run: () => void): () => void {
  const rounds = roundsOf.get(clock.after) ?? new Map<string, Round>()
  roundsOf.set(clock.after, rounds)
  const key = `${intervalMs} ${phaseMs}`
  const known = rounds.get(key)
  const round = known ?? { runs: new Set(), cancel: () => undefined }
  round.runs.add(run)
  if (!known) {
    rounds.set(key, round)
    startTimer(round, clock, intervalMs, phaseMs)
  }
  return () => {
    round.runs.delete(run)
    if (round.runs.size > 0) return
    rounds.delete(key)
    round.cancel()
  }
}

/** Uses no promises, because idle sites do little else than this. */
function startTimer(round: Round, clock: Clock, intervalMs: number, phaseMs: number): void {
  round.cancel = clock.after(intervalMs - ((clock.now() - phaseMs) % intervalMs), () => {
    for (const run of round.runs) run()
    if (round.runs.size > 0) startTimer(round, clock, intervalMs, phaseMs)
  })
}

const late = Symbol('late')

/** Resolves to `onTimeout()` if `work` takes too long or the signal aborts. Does not abort it. */
export async function withTimeout<T, U>(
  work: PromiseLike<T>,
  timeoutMs: number,
  onTimeout: () => U,
  {
    clock: { after } = systemClock,
    signal,
  }: { readonly clock?: Pick<Clock, 'after'>; readonly signal?: AbortSignal } = {},
): Promise<T | U> {
  const { promise: timeout, resolve } = Promise.withResolvers<typeof late>()
  const giveUp = () => resolve(late)
  const cancel = after(timeoutMs, giveUp)
  signal?.addEventListener('abort', giveUp)
  if (signal?.aborted) giveUp()
  try {
    const first = await Promise.race([work, timeout])
    return first === late ? onTimeout() : first
  } finally {
    cancel()
    signal?.removeEventListener('abort', giveUp)
  }
}

/** Maximum random share added to a delay, so that replicas do not retry at the same time. */
const jitter = 0.2

/** Doubles with each consecutive failure. `random` is in [0, 1). */
export function retryDelayMs(
  { initialMs, maxMs }: { readonly initialMs: number; readonly maxMs: number },
  consecutiveFailures: number,
  random = 0,
): number {
  const backoffMs = Math.min(initialMs * 2 ** (consecutiveFailures - 1), maxMs)
  return Math.round(backoffMs * (1 + jitter * random))
}

/** Returns a function whose concurrent callers share one run of `work`. */
export function singleFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
}
