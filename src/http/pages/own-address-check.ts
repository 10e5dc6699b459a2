import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { checkAddress } from '../../check/address-check.ts'
import type { AddressFinding } from '../../check/response-check.ts'
import type { TimeSource } from '../../clock.ts'
import { feedUrl, type Feed } from '../../feeds/feed.ts'

const maxConcurrent = 2
const maxWaiting = 10

/** A report is shown again for this long, so that reloading a page causes no requests. */
const freshMs = 60_000
const maxReports = 200

/** Shorter than for the command, because a page is waiting. */
const limits = { timeoutMs: 8_000, webcalTimeoutMs: 3_000 }

type FeedFindings = { readonly title: string; readonly findings: readonly AddressFinding[] }

/** Result of checking the addresses of several feeds. */
export type OwnAddressReport = {
  readonly checkedAt: number
  readonly ok: boolean
  /** All findings for the first feed. */
  readonly findings: readonly AddressFinding[]
  /** Problems that only the other feeds have. */
  readonly others: readonly FeedFindings[]
}

/** Checks this service's own addresses the way apps use them. */
export type OwnAddressCheck = {
  /**
   * Checks feeds below a base URL of this service. Resolves to undefined if too many checks are
   * waiting.
   */
  readonly check: (
    base: string,
    feeds: readonly Feed[],
    userAgent: string,
  ) => Promise<OwnAddressReport | undefined>
}

/** Creates a check that requests nothing but feeds below the public URL. */
export function createOwnAddressCheck(publicUrl: string, clock: TimeSource): OwnAddressCheck {
  const limited = pLimit(maxConcurrent)
  const reports = new LRUCache<string, { startedAt: number; report: Promise<OwnAddressReport> }>({
    maxSize: maxReports,
    sizeCalculation: () => 1,
  })

  async function reportOn(base: string, feeds: readonly Feed[], userAgent: string) {
    const checked: FeedFindings[] = []
    for (const feed of feeds) {
      const { title, formats } = feed
      const url = feedUrl(base, feed, formats[0] ?? 'ics')
      const { findings } = await checkAddress(url, { userAgent, now: clock.now, limits })
      checked.push({ title, findings })
      if (isUnreachable(findings)) break
    }
    return reportFrom(checked, clock.now())
  }

  return {
    async check(base, feeds, userAgent) {
      if (!`${base}/`.startsWith(`${publicUrl}/`))
        throw new TypeError('not an address of this service')
      const key = [base, ...feeds.map(({ id }) => id)].join(' ')
      const cached = reports.get(key)
      if (cached && clock.now() < cached.startedAt + freshMs) return cached.report
      if (limited.pendingCount >= maxWaiting) return undefined
      const report = limited(() => reportOn(base, feeds, userAgent))
      reports.set(key, { startedAt: clock.now(), report })
      return report
    },
  }
}

/** Returns true if the other feeds would fail in the same way. */
function isUnreachable(findings: readonly AddressFinding[]): boolean {
  return findings.some(
    ({ check, state }) => state === 'fault' && ['connection', 'certificate'].includes(check),
  )
}

function reportFrom(checked: readonly FeedFindings[], checkedAt: number): OwnAddressReport {
  const [first, ...others] = checked
  const findings = first?.findings ?? []
  const known = new Set(findings.map(({ sentence }) => sentence))
  const isNewProblem = ({ state, sentence }: AddressFinding) =>
    state !== 'ok' && !known.has(sentence)
  return {
    checkedAt,
    ok: checked.every((each) => each.findings.every(({ state }) => state !== 'fault')),
    findings,
    others: others
      .map((each) => ({ ...each, findings: each.findings.filter(isNewProblem) }))
      .filter((each) => each.findings.length > 0),
  }
}
