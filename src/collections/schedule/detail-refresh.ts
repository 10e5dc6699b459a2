import { UpstreamError, type UpstreamErrorKind } from '../../upstream/upstream-error.ts'
import { detailedResource } from '../copy/resource-rules.ts'
import { nextDetail } from '../copy/sign-up-details.ts'
import { createAttempts, createBackoff, type Failure } from './backoff.ts'
import type { Intervals } from './intervals.ts'
import { detailIntervalMs } from './reading-interval.ts'
import type { ScheduleParts } from './schedule-parts.ts'

const allSheets = 'signup details'

/** Errors that a single sheet can cause. Other errors affect the whole site. */
const faultsOfSheets: readonly UpstreamErrorKind[] = [
  'server_error',
  'unexpected_answer',
  'body_too_large',
  'collection_too_large',
  'invalid_parameter',
]

export type DetailRefresh = {
  /** Starts to read the next sheet that is due, unless another one is being read. */
  readonly readNext: () => void
  /** Reads the details of all upcoming sheets that are due. */
  readonly readAll: (ending: AbortSignal) => Promise<void>
  readonly isUnderWay: () => boolean
  readonly over: () => Promise<unknown>
  readonly failures: () => readonly Failure[]
  /** Forgets failures, so that all sheets are tried again. */
  readonly forget: () => void
}

/** Reads the details of sign-up sheets, one sheet at a time. */
export function createDetailRefresh(
  options: ScheduleParts & { readonly intervals: Intervals; readonly random: () => number },
): DetailRefresh {
  const { sync, backoff, demand, intervals, clock, random, log, signal } = options
  const sheetBackoff = createBackoff({ clock, random, keyCount: () => 0 })
  const ownBackoff = { ...sheetBackoff, failed, succeeded }
  const attempts = createAttempts({ backoff: ownBackoff, clock, log, signal })

  function failed(name: string, error: unknown): Failure {
    const isOfSheet = error instanceof UpstreamError && faultsOfSheets.includes(error.kind)
    return isOfSheet ? sheetBackoff.failed(name, error) : backoff.failed(allSheets, error)
  }

  function succeeded(name: string): void {
    sheetBackoff.succeeded(name)
    backoff.succeeded(allSheets)
  }

  const isUnderWay = () => !attempts.areAllOver()

  function readNext(): void {
    if (demand.isIdle(detailedResource) || options.attempts.isUnderWay(detailedResource)) return
    const kept = sync.kept(detailedResource)
    if (!kept || kept.held || !backoff.mayTry(allSheets) || isUnderWay()) return
    const next = nextDetail(kept, {
      today: intervals.today(),
      intervalMs: detailIntervalMs(intervals.load()),
      now: clock.now(),
      mayTry: (id) => sheetBackoff.mayTry(nameOf(id)),
    })
    if (next) void attempts.join(nameOf(next.id), () => sync.refreshDetail(next))
  }

  return {
    readNext,
    async readAll(ending) {
      const sheets = intervals.upcomingSheets().length
      for (let count = 0; count < sheets && !ending.aborted; count += 1) {
        readNext()
        if (!isUnderWay()) return
        await attempts.allOver()
      }
    },
    isUnderWay,
    over: attempts.allOver,
    failures() {
      const ofAll = backoff.ownFailureOf(allSheets) ?? []
      const sheets = intervals.upcomingSheets()
      return sheets.flatMap(({ id }) => sheetBackoff.ownFailureOf(nameOf(id)) ?? []).concat(ofAll)
    },
    forget: sheetBackoff.forget,
  }
}

function nameOf(sheetId: number): string {
  return `${allSheets} of ${sheetId}`
}
