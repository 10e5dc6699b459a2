import { resources, type Resource } from '../records/resources.ts'
import { instantFromSiteTime, readSiteDateTime } from '../records/site-time.ts'
import { adviceFor } from './advice.ts'
import type { DataService } from './data-service.ts'
import { isDomainOf, type Page } from './envelope.ts'
import { retryPolicyFor } from './retry-policy.ts'
import type { Budget } from './throttle.ts'
import { UpstreamError } from './upstream-error.ts'

const minuteMs = 60_000

/** Clocks may differ by so much before it is worth a word. */
const toleratedMs = 2 * minuteMs
/** Time zones differ by multiples of this. */
const zoneStepMs = 15 * minuteMs

export type Finding = {
  /** `token`, a resource, `domain`, `clock` or `budget`. */
  readonly check: string
  readonly ok: boolean
  /** What was found, and for a fault what to do, in plain words. */
  readonly sentence: string
  /** Of a refused call: the specification's code or the kind of fault. */
  readonly code?: string
}

/**
 * Tries a site: connection, token, every resource, clock and time zone, budget. Ends early when
 * nothing more can be found out.
 */
export async function* checkSite(options: {
  readonly dataService: Pick<DataService, 'readPage'>
  /** Gets an access token, if there is none yet. */
  readonly token: () => Promise<unknown>
  readonly budget: () => Promise<Budget>
  readonly siteUrl: string
  readonly timeZone: string
  /** Resources that published feeds are made from; others may be refused. */
  readonly needed: readonly Resource[]
  readonly now: () => number
}): AsyncGenerator<Finding> {
  const { dataService, token, budget, siteUrl, timeZone, needed, now } = options
  const fault = await token().then(() => undefined, upstreamErrorFrom)
  yield fault ? findingFrom('token', fault, true) : goodToken(siteUrl)
  if (fault) return
  let lastPage: { readonly page: Page; readonly at: number } | undefined
  for (const resource of resources) {
    try {
      const page = await dataService.readPage(resource, { MaxRows: '1' }, () => 'person')
      lastPage = { page, at: now() }
      yield { check: resource, ok: true, sentence: `${resource} can be read: ${countOf(page)}.` }
    } catch (caught) {
      const error = upstreamErrorFrom(caught)
      yield findingFrom(resource, error, needed.includes(resource))
      if (isOfSite(error)) return
    }
  }
  if (lastPage) {
    yield domainFinding(lastPage.page, siteUrl)
    yield clockFinding(lastPage.page, lastPage.at, timeZone)
  }
  yield budgetFinding(await budget())
}

function countOf({ totalCount }: Page): string {
  return totalCount === 1 ? '1 record by default' : `${totalCount} records by default`
}

function upstreamErrorFrom(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error
  throw error
}

function goodToken(siteUrl: string): Finding {
  const sentence = `${siteUrl} can be reached, its certificate is trusted, and it takes the token.`
  return { check: 'token', ok: true, sentence }
}

function findingFrom(check: Resource | 'token', error: UpstreamError, isNeeded: boolean): Finding {
  const { kind: code, message } = error
  if (code === 'endpoint_not_allowed' && !isNeeded) {
    const sentence = `${check} may not be read by the API Project; no published feed needs it.`
    return { check, ok: true, sentence, code }
  }
  const what = check === 'token' ? 'There is no access token' : `${check} cannot be read`
  return { check, ok: false, sentence: `${what} (${message}). ${adviceFor(code)}`, code }
}

function isOfSite({ kind }: UpstreamError): boolean {
  const failsAlone = ['unexpected_answer', 'server_error', 'rate_limited', 'timeout', 'interrupted']
  return retryPolicyFor(kind).concerns === 'site' && !failsAlone.includes(kind)
}

function domainFinding({ domain }: Page, siteUrl: string): Finding {
  const host = new URL(siteUrl).hostname
  return isDomainOf(domain, siteUrl)
    ? { check: 'domain', ok: true, sentence: `The answers are of ${host}.` }
    : {
        check: 'domain',
        ok: true,
        sentence: `The answers say they are of ${domain}, and SITE_URL names ${host}; make sure that it is the same website.`,
      }
}

function clockFinding({ generated }: Page, at: number, timeZone: string): Finding {
  const siteTime = readSiteDateTime(generated)
  if (siteTime === undefined) {
    return { check: 'clock', ok: true, sentence: 'The website does not tell its time.' }
  }
  const aheadMs = instantFromSiteTime(siteTime, timeZone) - at
  const offStepMs = Math.abs(aheadMs - Math.round(aheadMs / zoneStepMs) * zoneStepMs)
  const minutes = Math.abs(Math.round(aheadMs / minuteMs))
  const side = aheadMs > 0 ? 'ahead of' : 'behind'
  if (Math.abs(aheadMs) <= toleratedMs) {
    const sentence = `The website's clock agrees with this machine's in ${timeZone}.`
    return { check: 'clock', ok: true, sentence }
  }
  const sentence =
    offStepMs <= toleratedMs
      ? `The website shows ${generated}, which is ${minutes} minutes ${side} ${timeZone}: set SITE_TIME_ZONE to the zone of the website's dates and times.`
      : `The website's clock is ${minutes} minutes ${side} this machine's: set this machine's clock right, or ask the website's operator.`
  return { check: 'clock', ok: false, sentence }
}

function budgetFinding({ minute, day }: Budget): Finding {
  const sentence = `Feedhouse has used ${minute.used} of ${minute.most} calls in the last minute and ${day.used} of ${day.most} in the last 24 hours.`
  return { check: 'budget', ok: true, sentence }
}
