import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { checkAddress } from '../check/address-check.ts'
import type { AddressFinding } from '../check/response-check.ts'
import { dayMs, hourMs, minuteMs, type TimeSource } from '../clock.ts'
import { feedUrl, type Feed } from '../feeds/feed.ts'
import type { Site } from '../feeds/site.ts'
import { urlWarning } from '../links/url-warning.ts'
import { fetchScheduleFrom, type FetchSchedule } from '../links/fetch-schedule.ts'
import type { AppFetches } from '../links/link-use.ts'
import { fullClock, momentInWords } from '../records/date-words.ts'
import type { SiteTimes } from '../records/language.ts'
import { siteDateAt, siteTimeAt } from '../records/site-time.ts'
import { withFallback } from '../store/store-error.ts'
import { ownCheckAgent, type Viewer } from './viewer.ts'
import { pageMessages } from './messages.ts'
import type { DoctorMessages } from './messages/doctor/en.ts'

const maxConcurrent = 2
const maxWaiting = 10

/** How long a report is reused, so that reloading the page sends no requests. */
const freshMs = minuteMs
const maxReports = 200

/** Shorter than for the command, because a page is waiting. */
const limits = { timeoutMs: 8_000, webcalTimeoutMs: 3_000 }

export type SubscriptionDoctor = {
  /** Describes the apps of a link in a language, for the admin page. */
  readonly appsFrom: (fetches: readonly AppFetches[], shownIn: string) => readonly AppRefreshes[]
  /** Checks the URLs of public feeds. Resolves to undefined if none is available. */
  readonly checkPublic: (feeds: readonly Feed[], shownIn: string) => Promise<object | undefined>
  /** Returns the section of a link's page in a language, or undefined for the public page. */
  readonly sectionFor: (
    viewer: Viewer,
    query: URLSearchParams,
    shownIn: string,
  ) => Promise<object | undefined>
}

type AppRefreshes = FetchSchedule & {
  readonly name: string
  readonly steps: readonly string[]
  readonly last: string
  readonly next: string
  readonly habit: string
}

/** Creates the diagnosis of subscriptions for the link's page and the admin page. */
export function createSubscriptionDoctor(
  { publicUrl, timeZone }: Site,
  clock: TimeSource,
  isOffered: (feed: Feed) => boolean,
): SubscriptionDoctor {
  const check = createOwnAddressCheck(publicUrl, clock)

  async function reportOn(base: string, feeds: readonly Feed[], request: CheckRequest) {
    const offered = feeds.filter(isOffered)
    if (offered.length === 0) return undefined
    const report = await check(base, offered, request)
    if (!report) return { isBusy: true }
    const at = siteTimeAt(report.checkedAt, timeZone)
    return { ...report, isBusy: false, checked: momentInWords(at, at, request.language) }
  }

  return {
    appsFrom: (fetches, language) =>
      appRefreshesFrom(fetches, { now: clock.now(), timeZone, language }),
    checkPublic: (feeds, language) =>
      reportOn(publicUrl, feeds, { userAgent: 'Feedhouse check', language }),
    async sectionFor({ link, base, feeds }, query, shownIn) {
      if (!link) return undefined
      // The refreshes are unknown while the store is down.
      const fetches = await withFallback(link.fetches)
      const shown = { now: clock.now(), timeZone, language: shownIn }
      const apps = fetches && appRefreshesFrom(fetches, shown)
      const isRequested = query.get('check') === '1'
      return {
        apps,
        // Google's servers are on the internet.
        isReachable: apps?.some(({ app, state }) => app === 'Google' && state === 'on time'),
        timeZone,
        warning: urlWarning(publicUrl, pageMessages(shownIn).doctor.warnings),
        address: isRequested
          ? await reportOn(base, feeds, { userAgent: ownCheckAgent(link), language: shownIn })
          : undefined,
      }
    },
  }
}

/** Describes when apps refreshed a link, in the site's time zone, latest app first. */
export function appRefreshesFrom(
  fetches: readonly AppFetches[],
  { now, timeZone, language }: SiteTimes & { readonly now: number },
): readonly AppRefreshes[] {
  const t = pageMessages(language).doctor
  const today = siteDateAt(now, timeZone)
  const day = (instant: number) => siteDateAt(instant, timeZone)
  const hour = (instant: number) => fullClock(siteTimeAt(instant, timeZone), language)
  const time = (instant: number) => momentInWords(siteTimeAt(instant, timeZone), today, language)
  /** Returns the end of a time span, without the day if it is the same as the start's. */
  const endOf = (from: number, to: number) => (day(from) === day(to) ? hour(to) : time(to))

  function nextSentence({ state, due }: FetchSchedule): string {
    if (!due) return ''
    const by = time(due.by)
    if (state === 'late') return t.isLate(by)
    if (state === 'stopped') return t.hasStopped
    if (now > due.by) return t.isDelayed(by)
    if (due.from === due.by) return t.nextAround(by)
    if (now > due.from) return t.nextBy(by)
    return t.nextBetween(time(due.from), endOf(due.from, due.by))
  }

  return fetches.map((each) => {
    const schedule = fetchScheduleFrom(each, now)
    const { app, observedMs, lastAt, due } = schedule
    const { name, habit, steps } = t.apps[app]
    return {
      ...schedule,
      name,
      steps,
      last: due ? t.lastRefreshed(time(lastAt)) : t.lastUsed(time(lastAt)),
      next: nextSentence(schedule),
      habit: observedMs === undefined ? habit : habitFrom(observedMs, t),
    }
  })
}

function habitFrom(intervalMs: number, t: DoctorMessages): string {
  if (intervalMs < 1.5 * hourMs) return t.everyMinutes(Math.round(intervalMs / minuteMs))
  if (intervalMs < 1.5 * dayMs) return t.everyHours(Math.round(intervalMs / hourMs))
  return t.everyDays(Math.round(intervalMs / dayMs))
}

type Started = { startedAt: number; report: Promise<Report> }

type Report = {
  readonly checkedAt: number
  readonly ok: boolean
  readonly findings: readonly AddressFinding[]
  readonly others: readonly FeedFindings[]
}

type CheckRequest = { readonly userAgent: string; readonly language: string }

type FeedFindings = { readonly title: string; readonly findings: readonly AddressFinding[] }

/** Checks only feeds below the public URL. Returns undefined if too many checks are waiting. */
export function createOwnAddressCheck(publicUrl: string, clock: TimeSource) {
  const limited = pLimit(maxConcurrent)
  const reports = new LRUCache<string, Started>({ maxSize: maxReports, sizeCalculation: () => 1 })

  async function reportOn(
    base: string,
    feeds: readonly Feed[],
    { userAgent, language }: CheckRequest,
  ) {
    const checked: FeedFindings[] = []
    for (const feed of feeds) {
      const { textIn, formats } = feed
      const url = feedUrl(base, feed, formats[0] ?? 'ics')
      const { findings } = await checkAddress(url, { userAgent, now: clock.now, limits, language })
      checked.push({ title: textIn(language).title, findings })
      if (isUnreachable(findings)) break
    }
    return reportFrom(checked, clock.now())
  }

  return async (base: string, feeds: readonly Feed[], request: CheckRequest) => {
    if (!`${base}/`.startsWith(`${publicUrl}/`))
      throw new TypeError('not an address of this service')
    const key = [request.language, base, ...feeds.map(({ id }) => id)].join(' ')
    const cached = reports.get(key)
    if (cached && clock.now() < cached.startedAt + freshMs) return cached.report
    if (limited.pendingCount >= maxWaiting) return undefined
    const report = limited(() => reportOn(base, feeds, request))
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
function reportFrom(checked: readonly FeedFindings[], checkedAt: number): Report {
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
