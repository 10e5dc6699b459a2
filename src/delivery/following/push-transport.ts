import { Agent, request } from 'node:https'
import type { LookupFunction } from 'node:net'
import { hourMs, type TimeSource } from '../../clock.ts'
import { siteChannel, type Site } from '../../feeds/site.ts'
import { knownServiceOf, subscriptionFrom } from '../../followers/push-subscription.ts'
import { publicLookup } from '../../pictures/public-ip.ts'
import { shortenedText } from '../../text/text.ts'
import { retryAfterMs } from '../../upstream/upstream-error.ts'
import type { FollowMessage, Sent, Transport } from './messages.ts'
import { encryptPush, type Vapid } from './push-encryption.ts'

/** Push services have no daily limit. This one limits the effect of a bug. */
const maxPerDay = 100_000

/**
 * Time to respond. A lesser-known service could be slow on purpose, to delay the messages to others.
 * If it responds this late, its devices come last the next time.
 */
const defaultTimes = { knownMs: 10_000, otherMs: 3_000, lateMs: 1_000 }

/** Longer than what phones show, and within the size limit even if characters are escaped. */
const [maxTitleLength, maxBodyLength] = [120, 450]

/** How long a push service keeps a message for a device that is offline. */
const ttlMs: Partial<Record<FollowMessage['kind'], number>> = {
  welcome: hourMs,
  emergency: 4 * hourMs,
  tomorrow: 12 * hourMs,
}
const defaultTtlMs = 48 * hourMs

/**
 * Sends messages to browsers (RFC 8030). Clients supply the endpoints, so this connects only to
 * public addresses and follows no redirects, and a failure never delays messages to other services.
 */
export function createPushTransport({
  vapid,
  site,
  clock,
  connect = { lookup: publicLookup },
  times = defaultTimes,
}: {
  readonly vapid: Vapid
  readonly site: Site
  readonly clock: TimeSource
  /** Replaces the connection options in tests. */
  readonly connect?: { readonly lookup: LookupFunction; readonly ca?: string }
  /** Replaces the times in tests. */
  readonly times?: typeof defaultTimes
}): Transport & Disposable {
  const agent = new Agent({ keepAlive: true, ...connect })

  /** Resolves to the status and the Retry-After header. Ignores the body. */
  async function post(
    endpoint: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer,
    signal: AbortSignal,
  ) {
    const { promise, resolve, reject } =
      Promise.withResolvers<readonly [status: number, retryAfter?: string | undefined]>()
    const sent = request(endpoint, { agent, method: 'POST', headers, signal }, (response) => {
      // The body should be empty. A hostile endpoint could send an endless one.
      response.on('data', () => response.destroy()).on('error', () => undefined)
      resolve([response.statusCode ?? 0, response.headers['retry-after']])
    })
    // A hostile endpoint could keep the process busy with millions of 1xx responses.
    sent.on('information', () => sent.destroy())
    // Node closes the connection without an error after a response with status 101.
    sent.on('close', () => reject(new Error('no response')))
    sent.on('error', reject).end(body)
    return promise
  }

  return {
    maxPerDay,
    async send(message, { address }, signal) {
      const subscription = subscriptionFrom(address)
      const { endpoint } = subscription
      const headers = {
        Authorization: vapid.authorizationFor(endpoint),
        'Content-Encoding': 'aes128gcm',
        'Content-Type': 'application/octet-stream',
        TTL: String((ttlMs[message.kind] ?? defaultTtlMs) / 1000),
        Urgency: message.kind === 'emergency' ? 'high' : 'normal',
        // Replaces an older message that has not been delivered yet.
        Topic: message.kind,
      }
      const known = knownServiceOf(subscription.endpoint)
      const service = known ? `the push service of ${known}` : 'the push service'
      const startedAt = performance.now()
      try {
        const body = encryptPush(contentOf(message, site), subscription)
        const timeoutMs = known ? times.knownMs : times.otherMs
        const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
        const [status, retryAfter] = await post(endpoint, headers, body, limited)
        const result = resultOf(service, status, retryAfterMs(retryAfter, clock.now()))
        const isLate = performance.now() - startedAt > times.lateMs
        return result.ok && !known && isLate ? { ok: true, isSlow: true } : result
      } catch (error) {
        const { name, code = name } = error as NodeJS.ErrnoException
        return { ok: false, failed: 'once', reason: `${service} cannot be reached (${code})` }
      }
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}

function resultOf(service: string, status: number, delayMs: number | undefined): Sent {
  if (status >= 200 && status < 300) return { ok: true }
  const reason = `${service} responded with status ${status}`
  // The subscription has expired or was removed (RFC 8030 7.3).
  if (status === 404 || status === 410) return { ok: false, reason, failed: 'address' }
  return { ok: false, reason, failed: 'once', retryAfterMs: delayMs }
}

/**
 * Returns a declarative push message (Push API, 3.3). Browsers that support the format show it
 * without a service worker. In other browsers, the site's service worker shows it.
 */
function contentOf({ title, summary, url, kind, language }: FollowMessage, site: Site) {
  const notification = {
    // Phones show more of the body than of the title.
    title: shortenedText(title === summary ? site.name : title, maxTitleLength),
    body: shortenedText(summary, maxBodyLength),
    navigate: url,
    lang: language,
    dir: 'auto',
    tag: kind,
    renotify: true,
    icon: siteChannel(site).icons.large,
  }
  return Buffer.from(JSON.stringify({ web_push: 8030, notification }))
}
