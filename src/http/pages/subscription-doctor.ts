import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { checkAddress } from '../../check/address-check.ts'
import type { AddressFinding } from '../../check/response-check.ts'
import { dayMs, hourMs, minuteMs, type TimeSource } from '../../clock.ts'
import { feedUrl, type Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import { urlWarning } from '../../links/url-warning.ts'
import { fetchScheduleFrom, type FetchSchedule } from '../../links/fetch-schedule.ts'
import type { AppFetches } from '../../links/link-use.ts'
import { fullClock, momentInWords } from '../../records/date-words.ts'
import type { SiteTimes } from '../../records/language.ts'
import { siteDateAt, siteTimeAt } from '../../records/site-time.ts'
import { withFallback } from '../../store/store-error.ts'
import { ownCheckAgent, type Viewer } from '../feeds/viewer.ts'

const maxConcurrent = 2
const maxWaiting = 10

/** How long a report is reused, so that reloading the page sends no requests. */
const freshMs = minuteMs
const maxReports = 200

/** Shorter than for the command, because a page is waiting. */
const limits = { timeoutMs: 8_000, webcalTimeoutMs: 3_000 }

/** Creates the diagnosis of subscriptions for the link's page and the admin page. */
export function createSubscriptionDoctor(
  { publicUrl, timeZone, language }: Site,
  clock: TimeSource,
  isOffered: (feed: Feed) => boolean,
) {
  const check = createOwnAddressCheck({ publicUrl, language }, clock)
  const appsFrom = (fetches: readonly AppFetches[]) =>
    appRefreshesFrom(fetches, { now: clock.now(), timeZone, language })

  async function reportOn(base: string, feeds: readonly Feed[], userAgent: string) {
    const offered = feeds.filter(isOffered)
    if (offered.length === 0) return undefined
    const report = await check(base, offered, userAgent)
    if (!report) return { isBusy: true }
    const at = siteTimeAt(report.checkedAt, timeZone)
    return { ...report, isBusy: false, checked: momentInWords(at, at, language) }
  }

  return {
    appsFrom,
    /** Checks the URLs of public feeds. Resolves to undefined if none is available. */
    checkPublic: (feeds: readonly Feed[]) => reportOn(publicUrl, feeds, 'Feedhouse check'),
    /** Returns the section of a link's page, or undefined for the public page. */
    async sectionFor({ link, base, feeds }: Viewer, query: URLSearchParams) {
      if (!link) return undefined
      // The refreshes are unknown while the store is down.
      const fetches = await withFallback(link.fetches)
      const apps = fetches && appsFrom(fetches)
      const isRequested = query.get('check') === '1'
      return {
        apps,
        // Google's servers are on the internet.
        isReachable: apps?.some(({ app, state }) => app === 'Google' && state === 'on time'),
        timeZone,
        warning: urlWarning(publicUrl),
        address: isRequested ? await reportOn(base, feeds, ownCheckAgent(link)) : undefined,
      }
    },
  }
}

/** Describes when apps refreshed a link, in the site's time zone, latest app first. */
export function appRefreshesFrom(
  fetches: readonly AppFetches[],
  { now, timeZone, language }: SiteTimes & { readonly now: number },
) {
  const today = siteDateAt(now, timeZone)
  const day = (instant: number) => siteDateAt(instant, timeZone)
  const hour = (instant: number) => fullClock(siteTimeAt(instant, timeZone), language)
  const time = (instant: number) => momentInWords(siteTimeAt(instant, timeZone), today, language)
  const span = (from: number, to: number) =>
    `${time(from)} and ${day(from) === day(to) ? hour(to) : time(to)}`

  function nextSentence({ state, due }: FetchSchedule): string {
    if (!due) return ''
    const by = time(due.by)
    if (state === 'late') return `The next refresh was expected by ${by}, so it is late.`
    if (state === 'stopped')
      return 'It has stopped refreshing, probably because the subscription was removed from the app.'
    if (now > due.by) return `The next refresh was expected by ${by}; such a delay is still normal.`
    if (due.from === due.by) return `Next refresh expected around ${by}.`
    if (now > due.from) return `Next refresh expected by ${by}.`
    return `Next refresh expected between ${span(due.from, due.by)}.`
  }

  return fetches.map((each) => {
    const schedule = fetchScheduleFrom(each, now)
    const { often, observedMs, lastAt, due } = schedule
    return {
      ...schedule,
      last: `Last ${due ? 'refreshed' : 'used'} ${time(lastAt)}.`,
      next: nextSentence(schedule),
      habit:
        observedMs !== undefined
          ? `It usually refreshes about every ${durationInWords(observedMs)}.`
          : often && `It refreshes ${often}.`,
    }
  })
}

function durationInWords(ms: number): string {
  if (ms < 1.5 * hourMs) return counted(Math.round(ms / minuteMs), 'minute')
  if (ms < 1.5 * dayMs) return counted(Math.round(ms / hourMs), 'hour')
  return counted(Math.round(ms / dayMs), 'day')
}

function counted(count: number, unit: string): string {
  return count === 1 ? unit : `${count} ${unit}s`
}

type Started = { startedAt: number; report: Promise<ReturnType<typeof reportFrom>> }

type FeedFindings = { readonly title: string; readonly findings: readonly AddressFinding[] }

/**
 * Checks only feeds below the public URL, the way apps use them. Returns undefined if too many
 * checks are waiting.
 */
export function createOwnAddressCheck(
  { publicUrl, language }: Pick<Site, 'publicUrl' | 'language'>,
  clock: TimeSource,
) {
  const limited = pLimit(maxConcurrent)
  const reports = new LRUCache<string, Started>({ maxSize: maxReports, sizeCalculation: () => 1 })

  async function reportOn(base: string, feeds: readonly Feed[], userAgent: string) {
    const checked: FeedFindings[] = []
    for (const feed of feeds) {
      const { textIn, formats } = feed
      const url = feedUrl(base, feed, formats[0] ?? 'ics')
      const { findings } = await checkAddress(url, { userAgent, now: clock.now, limits })
      checked.push({ title: textIn(language).title, findings })
      if (isUnreachable(findings)) break
    }
    return reportFrom(checked, clock.now())
  }

  return async (base: string, feeds: readonly Feed[], userAgent: string) => {
    if (!`${base}/`.startsWith(`${publicUrl}/`))
      throw new TypeError('not an address of this service')
    const key = [base, ...feeds.map(({ id }) => id)].join(' ')
    const cached = reports.get(key)
    if (cached && clock.now() < cached.startedAt + freshMs) return cached.report
    if (limited.pendingCount >= maxWaiting) return undefined
    const report = limited(() => reportOn(base, feeds, userAgent))
    reports.set(key, { startedAt: clock.now(), report })
    return report
  }
}

/** Returns true if the other feeds would fail in the same way. */
function isUnreachable(findings: readonly AddressFinding[]): boolean {
  return findings.some(
    ({ check, state }) => state === 'fault' && ['connection', 'certificate'].includes(check),
  )
}

/** Returns all findings for the first feed, and problems that only the other feeds have. */
function reportFrom(checked: readonly FeedFindings[], checkedAt: number) {
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
