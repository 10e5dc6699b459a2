import { isIP } from 'node:net'
import { personalResources, resources, type Resource } from '../records/resources.ts'
import { clockFindingFrom } from '../records/site-clock.ts'
import { adviceFor } from '../upstream/advice.ts'
import type { PageReader } from '../upstream/data-service.ts'
import { isDomainOf, type Page } from '../upstream/envelope.ts'
import type { Budget } from '../upstream/throttle.ts'
import { zoneDataOf } from '../zone-data/zone-data.ts'
import {
  retryPolicyFor,
  UpstreamError,
  type UpstreamErrorKind,
} from '../upstream/upstream-error.ts'

export type Finding = {
  /** `token`, a resource, `site`, `domain`, `clock`, `budget`, `store` or the name of a setting. */
  readonly check: string
  readonly ok: boolean
  readonly sentence: string
  /** Error code from the specification, or the kind of error. */
  readonly code?: string
  readonly reason?: string
  readonly remoteMessage?: string
  readonly feeds?: FeedsOfResource
}

export type FeedsOfResource = {
  readonly public: readonly string[]
  readonly byLink: readonly string[]
  /** Feeds that are off because nothing lists them, but that PUBLIC_FEEDS or a link can list. */
  readonly ifNamed: readonly string[]
  /** The same for feeds that only links can list. */
  readonly ifNamedByLink: readonly string[]
}

/** Tests a site, from its connection to its API call budget. Stops early if it has to. */
export async function* checkSite(options: {
  readonly dataService: PageReader
  /** Gets an access token. Resolves to the expiry of a stored token in milliseconds since the epoch, or to
   * undefined for a new token. */
  readonly token: () => Promise<number | undefined>
  readonly isAccessToken: () => Promise<boolean>
  readonly budget: () => Promise<Budget>
  readonly siteUrl: string
  readonly timeZone: string
  readonly feedsOf: (resource: Resource) => FeedsOfResource
  readonly now: () => number
  /** True if the settings are entered on a page. */
  readonly isOnPage?: boolean
}): AsyncGenerator<Finding> {
  const { dataService, token, isAccessToken, budget, siteUrl, timeZone, feedsOf, now } = options
  const { isOnPage = false } = options
  try {
    yield tokenFinding(siteUrl, await token())
  } catch (caught) {
    const error = requireUpstreamError(caught)
    const isOther = error.kind === 'token_invalid' && (await isAccessToken())
    return yield isOther ? accessTokenFinding(error, isOnPage) : faultFrom('token', error, isOnPage)
  }
  let lastPage: { readonly page: Page; readonly at: number } | undefined
  /** Failure of the previous endpoint, until the next one shows whether all of them fail. */
  let failed: { readonly finding: Finding; readonly kind: UpstreamErrorKind } | undefined
  for (const resource of resources) {
    const feeds = feedsOf(resource)
    try {
      const page = await dataService.readPage(resource, { MaxRows: '1' }, () => 'person')
      lastPage = { page, at: now() }
      if (failed) yield failed.finding
      failed = undefined
      yield { check: resource, ok: true, sentence: readableSentence(resource, page, feeds), feeds }
    } catch (caught) {
      const error = requireUpstreamError(caught)
      if (failed?.kind === error.kind && retryPolicyFor(error.kind).concerns === 'site') {
        return yield outageFinding([failed.finding.check, resource], error)
      }
      if (failed) yield failed.finding
      failed = undefined
      if (error.kind === 'endpoint_not_allowed') {
        yield refusedFinding(resource, feeds)
        continue
      }
      const finding = { ...faultFrom(resource, error), feeds }
      if (concernsSite(error)) return yield finding
      failed = { finding, kind: error.kind }
    }
  }
  if (failed) yield failed.finding
  if (lastPage) {
    yield domainFinding(lastPage.page, siteUrl)
    const { page, at } = lastPage
    const zoneData = zoneDataOf(timeZone, at)
    const clock = clockFindingFrom(page.generated, { at, timeZone, zoneData, isOnPage })
    yield { check: 'clock', ...clock }
  }
  yield budgetFinding(await budget())
}

function requireUpstreamError(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error
  throw error
}

function tokenFinding(siteUrl: string, storedUntil: number | undefined): Finding {
  const sentence =
    storedUntil === undefined
      ? `${siteUrl} can be reached, its certificate is trusted, and it accepts the token.`
      : `A stored access token is valid until ${new Date(storedUntil).toISOString()}, so no new one was requested. The next lines show whether the website accepts it.`
  return { check: 'token', ok: true, sentence }
}

function readableSentence(
  resource: Resource,
  { totalCount }: Page,
  feeds: FeedsOfResource,
): string {
  const records = totalCount === 1 ? '1 record' : `${totalCount} records`
  const isUsed = [...feeds.public, ...feeds.byLink].length > 0
  const hint = resource === 'databases' ? '; check --databases lists their fields' : ''
  const use = isUsed ? '' : ` (${useWithoutFeeds(resource, feeds)}${hint})`
  return `${resource}: allowed, ${records} by default${use}.`
}

/** Describes the settings that would use a resource that no current feed shows. */
function useWithoutFeeds(resource: Resource, { ifNamed, ifNamedByLink }: FeedsOfResource): string {
  const isPersonal = personalResources.some((name) => name === resource)
  const uses = [
    isPersonal && 'a feed link is for a member',
    ifNamedByLink.length > 0 && `a feed link names ${ifNamedByLink.join(' or ')}`,
    ifNamed.length > 0 && `PUBLIC_FEEDS or a feed link names ${ifNamed.join(' or ')}`,
  ].filter((use) => use !== false)
  return uses.length > 0 ? `needed only if ${uses.join(', or if ')}` : 'not needed'
}

/**
 * Reports that two consecutive endpoints failed in the same way, so the others would probably fail,
 * too.
 */
function outageFinding(endpoints: readonly string[], error: UpstreamError): Finding {
  const sentence = `The website's API does not work: ${endpoints.join(' and ')} failed in the same way (${error.message}), so the other endpoints were not tried. ${adviceFor(error)}`
  return { check: 'site', ok: false, sentence, code: error.kind }
}

function faultFrom(check: Resource | 'token', error: UpstreamError, isOnPage = false): Finding {
  const { kind: code, message, reason, remoteMessage } = error
  const what = check === 'token' ? 'No access token' : `${check} cannot be read`
  const quoted = remoteMessage ? ` The website says: "${remoteMessage}"` : ''
  const sentence = `${what} (${message}). ${adviceFor(error, { isOnPage })}${addressIn(error)}${quoted}`
  return {
    check,
    ok: false,
    sentence,
    code,
    ...(reason && { reason }),
    ...(remoteMessage && { remoteMessage }),
  }
}

/** Returns a sentence with this machine's address if the website's message contains it. */
function addressIn({ kind, remoteMessage = '' }: UpstreamError): string {
  if (kind !== 'ip_not_allowed') return ''
  const address = remoteMessage
    .split(/[^\da-f:.]+/i)
    .map((word) => word.replace(/\.$/, ''))
    .find(isIP)
  return address === undefined
    ? ''
    : ` The website appears to see this machine's address as ${address}.`
}

function accessTokenFinding({ message, kind: code }: UpstreamError, isOnPage: boolean): Finding {
  const where = isOnPage ? 'enter it below, then check again' : 'put it into the token file or .env'
  const sentence = `No access token (${message}). ${isOnPage ? 'This' : 'SITE_REFRESH_TOKEN'} is an access token, not a refresh token. Ask a website manager to copy the refresh token in the website's Members Area, under Manage > API, and ${where}.`
  return { check: 'token', ok: false, sentence, code, reason: 'access token' }
}

function refusedFinding(check: Resource, feeds: FeedsOfResource): Finding {
  const code = 'endpoint_not_allowed'
  const refused = `${check}: not allowed for this API Project`
  const all = [...feeds.public, ...feeds.byLink]
  if (all.length === 0) {
    const sentence = `${refused} (${useWithoutFeeds(check, feeds)}).`
    return { check, ok: true, sentence, code, feeds }
  }
  const off = all.length === 1 ? `the ${all[0]} feed` : `the feeds ${all.join(', ')}`
  const are = all.length === 1 ? 'is' : 'are'
  const allow = `ask a website manager to allow the endpoint ${check} in the website's Members Area, under Manage > API`
  const sentence =
    feeds.public.length > 0
      ? `${refused}, so ${off} ${are} off. Remove ${feeds.public.join(', ')} from PUBLIC_FEEDS, or ${allow}.`
      : `${refused}, so ${off} (available only through feed links) ${are} off. To turn ${all.length === 1 ? 'it' : 'them'} on, ${allow}.`
  return { check, ok: feeds.public.length === 0, sentence, code, feeds }
}

function concernsSite({ kind }: UpstreamError): boolean {
  const failsAlone = ['unexpected_answer', 'server_error', 'rate_limited', 'timeout', 'interrupted']
  return retryPolicyFor(kind).concerns === 'site' && !failsAlone.includes(kind)
}

function domainFinding({ domain }: Page, siteUrl: string): Finding {
  const host = new URL(siteUrl).hostname
  const sentence = isDomainOf(domain, siteUrl)
    ? `Responses come from ${host}.`
    : `Responses come from ${domain}, but SITE_URL is ${host}. Make sure that they are the same website.`
  return { check: 'domain', ok: true, sentence }
}

function budgetFinding({ minute, day }: Budget): Finding {
  const sentence = `Feedhouse has used ${minute.used} of ${minute.max} API calls in the last minute and ${day.used} of ${day.max} in the last 24 hours.`
  return { check: 'budget', ok: true, sentence }
}
