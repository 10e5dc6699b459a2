import type { TimeSource } from '../../clock.ts'
import type { Logger } from '../../log.ts'
import type { SiteDate } from '../../records/site-time.ts'
import { UpstreamError, type UpstreamErrorKind } from '../../upstream/upstream-error.ts'
import { createAttempts, createBackoff, type Backoff, type Failure } from './backoff.ts'
import type { CollectionSync } from '../copy/collection-sync.ts'
import { nextDetail, upcoming } from '../copy/sign-up-details.ts'
import { detailedResource } from '../copy/resource-rules.ts'

export type DetailRefresh = ReturnType<typeof createDetailRefresh>

const allSheets = 'signup details'

/** Errors that a single sheet can cause. Other errors affect the whole site. */
const faultsOfSheets: readonly UpstreamErrorKind[] = [
  'server_error',
  'unexpected_answer',
  'body_too_large',
  'invalid_parameter',
]

/** Reads the details of sign-up sheets, one sheet at a time. */
export function createDetailRefresh(options: {
  readonly sync: CollectionSync
  /** Backoff of the whole site. */
  readonly backoff: Backoff
  readonly clock: TimeSource
  readonly random: () => number
  readonly log: Logger
  readonly signal: AbortSignal
}) {
  const { sync, backoff, clock, random, log, signal } = options
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

  return {
    readNext(today: SiteDate, intervalMs: number): void {
      const kept = sync.kept(detailedResource)
      if (!kept || kept.held || !backoff.mayTry(allSheets) || !attempts.areAllOver()) return
      const mayTry = (id: number) => sheetBackoff.mayTry(nameOf(id))
      const next = nextDetail(kept, { today, intervalMs, now: clock.now(), mayTry })
      if (next) void attempts.join(nameOf(next.id), () => sync.refreshDetail(next))
    },
    isUnderWay: () => !attempts.areAllOver(),
    over: attempts.allOver,
    failures(today: SiteDate): readonly Failure[] {
      const ofAll = backoff.ownFailureOf(allSheets) ?? []
      const sheets = upcoming(sync.kept(detailedResource)?.collection.records ?? [], today)
      return sheets.flatMap(({ id }) => sheetBackoff.ownFailureOf(nameOf(id)) ?? []).concat(ofAll)
    },
    forget: sheetBackoff.forget,
  }
}

function nameOf(sheetId: number): string {
  return `${allSheets} of ${sheetId}`
}
