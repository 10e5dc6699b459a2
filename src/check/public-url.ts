import { z } from 'zod'
import { parsedJson } from '../json.ts'
import { connectionFaultFrom } from '../upstream/connection-fault.ts'
import {
  boundedGet,
  connectionSentence,
  isUpgrade,
  mediaTypeOf,
  type ReceivedResponse,
} from './bounded-get.ts'
import type { Finding } from './site-check.ts'

/** Any server may respond at PUBLIC_URL. */
const limits = { timeoutMs: 15_000, maxBodyBytes: 64 * 1024 }
const maxShownPath = 100

/** Header that distinguishes Feedhouse's own 5xx responses from a proxy's. */
const ownErrorHeader = 'answered-by'

const probeSchema = z.object({ client: z.string(), forwarded: z.array(z.string()) })

/**
 * Address reserved for documentation (RFC 5737), which no client has. If the service reports it, the service
 * trusts forged headers.
 */
const forgedAddress = '203.0.113.77'

export type PublicUrlCheck = {
  readonly publicUrl: string
  /** Value of TRUST_PROXY. */
  readonly proxies: number
  readonly probeKey: string
  /** Path and media type of a public feed, like `/events.ics` and `text/calendar`. */
  readonly feed: { readonly path: string; readonly mediaType: string } | undefined
  readonly caPem?: string | undefined
}

/**
 * Requests PUBLIC_URL as a phone would, without following redirects. If the certificate is not trusted,
 * tries again with the authority in SITE_CA_FILE, as a phone would that trusts it.
 */
export async function checkPublicUrl(options: PublicUrlCheck): Promise<Finding> {
  const { publicUrl, caPem } = options
  const failure = (error: unknown) => faulty(connectionSentence(error, publicUrl, 'PUBLIC_URL'))
  try {
    return await findingAt(options)
  } catch (error) {
    const { reason = '' } = connectionFaultFrom(error)
    if (caPem === undefined || !untrusted.includes(reason)) return failure(error)
    const finding = await findingAt(options, [caPem]).catch(failure)
    return finding.ok
      ? { ...finding, sentence: `${finding.sentence} ${installAuthority}` }
      : finding
  }
}

const untrusted = ['certificate self-signed', 'certificate from an unknown authority']

const installAuthority =
  'Its certificate is from the authority in SITE_CA_FILE, so only phones and computers that trust this authority accept it. Install it on each of them, or get a certificate from a public authority.'

/** Rejects if PUBLIC_URL cannot be reached. `ca` replaces the default certificate authorities. */
async function findingAt(options: PublicUrlCheck, ca?: readonly string[]): Promise<Finding> {
  const { publicUrl, probeKey, proxies, feed } = options
  const probe = await get(`${publicUrl}/probe/${probeKey}`, ca)
  const fault = misdirectionFault(probe, options) ?? proxyFault(probe, proxies)
  if (fault !== undefined) return faulty(fault)
  if (feed) {
    const url = `${publicUrl}${feed.path}`
    const fault = feedFault(await get(url, ca), url, feed.mediaType)
    if (fault !== undefined) return faulty(fault)
  }
  return { check: 'PUBLIC_URL', ok: true, sentence: `${publicUrl} leads to this Feedhouse.` }
}

function get(url: string, ca: readonly string[] | undefined): Promise<ReceivedResponse> {
  const headers = { 'User-Agent': 'Feedhouse check', 'X-Forwarded-For': forgedAddress }
  return boundedGet(new URL(url), { headers, ca, ...limits })
}

function faulty(sentence: string): Finding {
  return { check: 'PUBLIC_URL', ok: false, sentence }
}

/** Returns a message if the response is not from this Feedhouse. */
function misdirectionFault(
  response: ReceivedResponse,
  options: PublicUrlCheck,
): string | undefined {
  const { status, headers } = response
  const { location } = headers
  const mediaType = mediaTypeOf(response)
  if (status >= 300 && status < 400 && location !== undefined) {
    return redirectFault(location, options)
  }
  if (status === 401 || status === 407) {
    return 'PUBLIC_URL asks for a password. Turn that off in the proxy, because calendar apps cannot enter it. Feed links protect private feeds.'
  }
  if (headers[ownErrorHeader] === 'Feedhouse') {
    return `Feedhouse itself responds with ${status} at PUBLIC_URL. It is starting, overloaded or failing. Check its log, then run check again.`
  }
  if (status >= 500) {
    return `PUBLIC_URL responds with ${status}: the proxy works but cannot reach Feedhouse. Check the address and port that it forwards requests to.`
  }
  if (mediaType === 'text/html' && status !== 404) {
    return 'PUBLIC_URL returns a web page, such as a sign-in page or a browser check. Exclude the URLs of the feeds from it, because calendar apps and feed readers cannot get past it.'
  }
  return status === 200 && mediaType === 'application/json' ? undefined : otherServiceFault(status)
}

function otherServiceFault(status: number): string {
  return `PUBLIC_URL does not lead to this Feedhouse (it responded with ${status}). Check PUBLIC_URL, its path, and what the proxy forwards.`
}

function redirectFault(location: string, { publicUrl, probeKey }: PublicUrlCheck): string {
  if (!URL.canParse(location, publicUrl)) {
    return 'PUBLIC_URL redirects to an invalid URL. Correct the redirect in the proxy.'
  }
  const [target, own] = [new URL(location, publicUrl), new URL(publicUrl)]
  if (isUpgrade(own, target)) {
    return `PUBLIC_URL redirects to ${target.origin}. Set PUBLIC_URL to the https URL.`
  }
  const [path = ''] = target.pathname.split(`/probe/${probeKey}`)
  const shown = `${target.origin}${path.slice(0, maxShownPath)}`
  const signIn = 'exclude the URLs of the feeds from it, because calendar apps cannot sign in.'
  return target.origin === own.origin
    ? `PUBLIC_URL redirects to ${shown}. If that is a sign-in page, ${signIn}`
    : `PUBLIC_URL redirects to ${shown}. Set PUBLIC_URL to the URL where it ends, or, if that is a sign-in page, ${signIn}`
}

/** Returns a message if TRUST_PROXY causes the service to see wrong client addresses. */
function proxyFault({ status, text = '' }: ReceivedResponse, proxies: number): string | undefined {
  const { data: probe } = probeSchema.safeParse(parsedJson(text))
  if (!probe) return otherServiceFault(status)
  const { client, forwarded } = probe
  const found = forwarded.filter((address) => address !== forgedAddress).length
  if (client === forgedAddress) {
    return `TRUST_PROXY is ${proxies}, but ${found === 0 ? 'no proxy adds' : `only ${found} add`} the client's address, so anyone can forge it. Set TRUST_PROXY to ${found}.`
  }
  if (found > proxies) {
    return `TRUST_PROXY is ${proxies}, but ${found} ${found === 1 ? 'proxy passes' : 'proxies pass'} on the client's address, so all visitors count as one client and share its limits. Set TRUST_PROXY to ${found}.`
  }
  return undefined
}

function feedFault(response: ReceivedResponse, url: string, expected: string): string | undefined {
  const { status } = response
  const mediaType = mediaTypeOf(response)
  // Feedhouse responds with 503 until it has read the website for the first time.
  if (status === 503 || (status === 200 && mediaType === expected)) return undefined
  return `${url} responds with ${status} and ${mediaType === '' ? 'no content type' : mediaType} instead of 200 and ${expected}. Configure the proxy to forward feeds unchanged.`
}
