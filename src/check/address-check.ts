import { setTimeout as sleep } from 'node:timers/promises'
import { defaultLanguage } from '../records/language.ts'
import { isRenewalOverdue } from '../upstream/certificate.ts'
import { connectionFaultFrom } from '../upstream/connection-fault.ts'
import {
  boundedGet,
  connectionSentence,
  isUpgrade,
  type GetOptions,
  type ReceivedResponse,
} from './bounded-get.ts'
import { checkMessages } from './messages.ts'
import type { CheckMessages } from './messages/en.ts'
import {
  findingsOf,
  refusalFrom,
  responseFindings,
  withoutKey,
  type AddressFinding,
} from './response-check.ts'

export type AddressReport = {
  /** The final URL, after any upgrade to https. */
  readonly url: string
  readonly findings: readonly AddressFinding[]
  /** Feeds on the same origin that a web page links to, at most `maxFeeds`. */
  readonly feeds: readonly string[]
}

export type AddressCheckOptions = {
  /** Lets the server's statistics distinguish checks from apps. */
  readonly userAgent: string
  readonly now: () => number
  /** Accepts a web page that links to feeds. */
  readonly isPageAllowed?: boolean
  /** Checks the https address if the http address redirects to it. */
  readonly followsToHttps?: boolean
  readonly ca?: readonly string[]
  readonly limits?: Partial<typeof defaultLimits>
  /** Language of the findings. The default is English. */
  readonly language?: string
}

const secondMs = 1_000

const defaultLimits = {
  timeoutMs: 20_000,
  maxBodyBytes: 5 * 1024 * 1024,
  /** Port to which apps connect for webcal: addresses; checked if the address uses `httpsPort`. */
  webcalPort: 80,
  webcalTimeoutMs: 5_000,
  httpsPort: 443,
}

const maxFeeds = 24

type Get = (url: URL, headers?: GetOptions['headers']) => Promise<ReceivedResponse>

/**
 * Requests an address the way phones and calendar services do, and reports anything that would keep
 * them from reading it. Requests nothing else, except the root of the same host over http.
 */
export async function checkAddress(
  address: string,
  options: AddressCheckOptions,
): Promise<AddressReport> {
  const limits = { ...defaultLimits, ...options.limits }
  const { language = defaultLanguage } = options
  const t = checkMessages(language)
  const get: Get = (url, headers = {}) =>
    boundedGet(url, {
      headers: { 'User-Agent': options.userAgent, 'Accept-Encoding': 'gzip', ...headers },
      ca: options.ca,
      ...limits,
    })
  const url = new URL(address)
  const report = (findings: readonly AddressFinding[], feeds: readonly string[] = []) => {
    return { url: url.href, findings, feeds }
  }
  let response: ReceivedResponse
  try {
    response = await get(url)
  } catch (error) {
    return report([failureFinding(error, url, t)])
  }
  const target = redirectTarget(response, url)
  if (target && isUpgrade(url, target) && options.followsToHttps === true) {
    const https = await checkAddress(target.href, { ...options, followsToHttps: false })
    return { ...https, findings: [findingsOf('redirects').note(t.upgrades), ...https.findings] }
  }
  const encryption = encryptionFindings(url, response, options.now(), t)
  const refusal = target ? redirectFault(url, target, t) : refusalFrom(response, t)
  if (refusal) return report([...encryption, refusal])
  const { text, headers } = response
  const { contentFrom } = await import('./feed-content.ts')
  const content = text === undefined ? ({ kind: 'unknown' } as const) : contentFrom(text, t)
  const isPage = content.kind === 'web page'
  const feeds = isPage && options.isPageAllowed === true ? feedsOnPage(content.feeds, url) : []
  const listed = options.isPageAllowed === true ? feeds.length : undefined
  const hasWebcal = url.protocol === 'https:' && Number(url.port || 443) === limits.httpsPort
  const isFeed = text !== undefined && !isPage && content.kind !== 'unknown'
  return report(
    [
      ...encryption,
      findingsOf('redirects').ok(t.doesNotRedirect),
      ...responseFindings({ ...limits, url, response, content, feeds: listed, language, t }),
      ...(isFeed ? [await unchangedFinding(headers, (again) => get(url, again), t)] : []),
      ...(hasWebcal ? [await webcalFinding(url, limits, options.userAgent, t)] : []),
    ],
    feeds,
  )
}

function failureFinding(error: unknown, url: URL, t: CheckMessages): AddressFinding {
  const { kind, reason } = connectionFaultFrom(error)
  const check = reason === 'no TLS' ? 'https' : kind === 'tls' ? 'certificate' : 'connection'
  return findingsOf(check).fault(connectionSentence(error, url.origin, t.theAddress, t))
}

function encryptionFindings(
  { protocol }: URL,
  { certificate }: ReceivedResponse,
  now: number,
  t: CheckMessages,
): readonly AddressFinding[] {
  const https = findingsOf('https')
  if (protocol === 'http:') return [https.fault(t.notEncrypted)]
  const encrypted = https.ok(t.encrypted)
  if (!certificate) return [encrypted]
  const { ok, note } = findingsOf('certificate')
  const day = new Date(certificate.validUntil).toISOString().slice(0, 10)
  return [encrypted, isRenewalOverdue(certificate, now) ? note(t.expires(day)) : ok(t.trusted(day))]
}

/** Returns the target of a redirect, or the URL itself if the target is invalid. */
function redirectTarget({ status, headers }: ReceivedResponse, url: URL): URL | undefined {
  const { location } = headers
  if (status < 300 || status >= 400 || location === undefined) return undefined
  return URL.canParse(location, url.href) ? new URL(location, url.href) : url
}

/** iOS imports a calendar once instead of subscribing to it if its address redirects. */
function redirectFault(url: URL, target: URL, t: CheckMessages): AddressFinding {
  const { fault } = findingsOf('redirects')
  if (target.href === url.href) return fault(t.redirectsToItself)
  return fault(isUpgrade(url, target) ? t.redirectsToHttps : t.redirects(withoutKey(target)))
}

/** Repeats a request with the validators from its response, as apps do to save bandwidth. */
async function unchangedFinding(
  { etag, 'last-modified': modified }: ReceivedResponse['headers'],
  get: (headers: GetOptions['headers']) => Promise<ReceivedResponse>,
  t: CheckMessages,
): Promise<AddressFinding> {
  const { ok, fault } = findingsOf('unchanged')
  if (etag === undefined) return fault(t.validatorMissing('ETag'))
  try {
    const lastModified = modified ?? (await lastModifiedSoon(get))
    if (lastModified === undefined) return fault(t.validatorMissing('Last-Modified'))
    // Apple and Thunderbird's feed reader compare dates; the others compare ETags.
    for (const headers of [{ 'If-None-Match': etag }, { 'If-Modified-Since': lastModified }]) {
      const again = await get(headers)
      const hasChanged = again.status === 200 && again.headers.etag !== etag
      if (again.status !== 304 && !hasChanged) {
        const [name = ''] = Object.keys(headers)
        return fault(t.sentAgain(again.status, name))
      }
    }
  } catch {
    return fault(t.secondFailed)
  }
  return ok(t.notSentAgain)
}

/** Feedhouse sends no date in the second of a change, so asks again after it. */
async function lastModifiedSoon(
  get: (headers: GetOptions['headers']) => Promise<ReceivedResponse>,
): Promise<string | undefined> {
  await sleep(secondMs)
  return (await get({})).headers['last-modified']
}

function feedsOnPage(addresses: readonly string[], page: URL): readonly string[] {
  const feeds = addresses
    .flatMap((address) => (URL.canParse(address, page.href) ? new URL(address, page.href) : []))
    .filter(({ origin }) => origin === page.origin)
  return [...new Set(feeds.map(({ href }) => href))].slice(0, maxFeeds)
}

/** Checks that webcal: addresses work. Requests only the root, because the request is not encrypted. */
async function webcalFinding(
  { hostname }: URL,
  { webcalPort, webcalTimeoutMs, maxBodyBytes }: typeof defaultLimits,
  userAgent: string,
  t: CheckMessages,
): Promise<AddressFinding> {
  const { ok, note } = findingsOf('webcal')
  const root = new URL(`http://${hostname}:${webcalPort}/`)
  const limits = { timeoutMs: webcalTimeoutMs, maxBodyBytes }
  try {
    const response = await boundedGet(root, { headers: { 'User-Agent': userAgent }, ...limits })
    const target = redirectTarget(response, root)
    return target && isUpgrade(root, target)
      ? ok(t.portRedirects)
      : note(t.portDoesNotRedirect(webcalPort))
  } catch {
    return note(t.portDoesNotRespond(webcalPort))
  }
}
