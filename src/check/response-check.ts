import { mediaTypeOf, type ReceivedResponse } from './bounded-get.ts'
import type { Content } from './feed-content.ts'

/** Result of one check. Only faults keep apps from working. */
export type AddressFinding = {
  readonly check:
    | 'connection'
    | 'https'
    | 'certificate'
    | 'redirects'
    | 'sign-in'
    | 'status'
    | 'content'
    | 'type'
    | 'size'
    | 'time'
    | 'compression'
    | 'unchanged'
    | 'privacy'
    | 'webcal'
  readonly state: 'ok' | 'note' | 'fault'
  /** Describes the result and how to fix any problem. Never contains the key of a feed link. */
  readonly sentence: string
}

export function findingsOf(check: AddressFinding['check']) {
  const of = (state: AddressFinding['state']) => (sentence: string) => ({ check, state, sentence })
  return { ok: of('ok'), note: of('note'), fault: of('fault') }
}

/** Google Calendar fails on feeds above about this size (ical-relay#212). */
const maxGoogleBytes = 1_000_000

/** Smaller responses hardly benefit from compression. */
const minCompressedBytes = 2_000

/** iOS shows no progress while it loads an address (openradar 14173021). */
const slowMs = 3_000
const tooSlowMs = 10_000

const mediaTypes: Readonly<Record<string, readonly string[]>> = {
  calendar: ['text/calendar'],
  RSS: ['application/rss+xml', 'application/xml', 'text/xml'],
  Atom: ['application/atom+xml', 'application/xml', 'text/xml'],
  'JSON Feed': ['application/feed+json', 'application/json'],
}

/**
 * Returns the reason why a response without a redirect is not a feed, or undefined for a complete
 * feed.
 */
export function refusalFrom({ status, headers }: ReceivedResponse): AddressFinding | undefined {
  const { fault } = findingsOf('status')
  const isPage = /^text\/html\b/i.test(headers['content-type'] ?? '')
  if (status === 401 || status === 407) {
    return findingsOf('sign-in').fault(
      'The address asks for a password, which calendar apps cannot enter. Turn that off in the proxy for feeds; feed links protect private feeds.',
    )
  }
  if (status === 403 && isPage) {
    return findingsOf('sign-in').fault(
      'The address responds with a web page that refuses access, such as a browser check. Exclude the feeds from it, because calendar apps cannot pass it.',
    )
  }
  if (status === 200) return undefined
  const refusal = refusals[status]
  if (refusal !== undefined) return fault(refusal)
  return fault(
    status >= 500
      ? `The server responds with ${status}. Feedhouse is starting or failing, or the proxy cannot reach it. Check the logs of both.`
      : `The server responds with ${status} instead of 200. Configure the proxy to pass on feeds unchanged.`,
  )
}

const refusals: Readonly<Record<number, string>> = {
  404: 'Nothing is at this address (404). Check that it is complete and current.',
  410: 'The address is no longer available (410), for example because a feed link was revoked.',
  429: 'The server limits requests (429). Wait a minute, then check again.',
}

/** Checks a response with status 200. `feeds` is the number of feeds that a page lists. */
export function responseFindings(
  response: ReceivedResponse,
  options: {
    readonly url: URL
    readonly content: Content
    /** Number of feeds that the web page names, or undefined if only a feed is allowed. */
    readonly feeds: number | undefined
    readonly maxBodyBytes: number
  },
): readonly AddressFinding[] {
  const { content, feeds, maxBodyBytes, url } = options
  if (response.text === undefined)
    return [unreadable(response, maxBodyBytes), timeFinding(response)]
  const privacy = isPrivate(url) ? [privacyFinding(response)] : []
  if (content.kind === 'web page') {
    return [pageFinding(content, feeds), timeFinding(response), ...privacy]
  }
  return [
    contentFinding(content),
    ...typeFindings(response, content),
    sizeFinding(response, content),
    timeFinding(response),
    ...compressionFindings(response),
    ...privacy,
  ]
}

function unreadable({ isTooLarge }: ReceivedResponse, maxBodyBytes: number): AddressFinding {
  return isTooLarge
    ? findingsOf('size').fault(
        `The response is larger than ${kilobytes(maxBodyBytes)} kB, so the rest was not read. Google fails above ${kilobytes(maxGoogleBytes)} kB. Select fewer calendars or fewer days.`,
      )
    : findingsOf('compression').fault(
        'The compressed response cannot be decompressed. Turn off compression in the proxy; Feedhouse compresses feeds itself.',
      )
}

function pageFinding(
  { title, hasPassword }: Extract<Content, { kind: 'web page' }>,
  feeds: number | undefined,
): AddressFinding {
  const { ok, fault } = findingsOf('sign-in')
  const page = title === '' ? 'a web page' : `the web page “${title.slice(0, 80)}”`
  if (hasPassword) {
    return fault(
      `The address shows ${page}, which asks for a password. Exclude the feeds from it, because calendar apps cannot sign in.`,
    )
  }
  if (feeds === undefined) {
    return fault(
      `The address shows ${page} instead of a feed, such as a sign-in page or a browser check. Use the address of a feed, or exclude feeds from that page.`,
    )
  }
  return feeds === 0
    ? fault(
        `The address shows ${page}, which names no feeds. If it is not a sign-in page, use the address of a feed.`,
      )
    : ok(`The address shows ${page}, which names ${feeds} ${feeds === 1 ? 'feed' : 'feeds'}.`)
}

function contentFinding(content: Exclude<Content, { kind: 'web page' }>): AddressFinding {
  const { ok, fault } = findingsOf('content')
  if (content.kind === 'unknown') {
    return fault('The response is neither a calendar nor a feed. Check the address and the proxy.')
  }
  const { kind, entries, fault: reason } = content
  const words = kind === 'RSS' || kind === 'Atom' ? `${kind} feed` : kind
  const count = entries === 1 ? '1 entry' : `${entries} entries`
  return reason === undefined
    ? ok(`The response is a complete ${words} with ${count}.`)
    : fault(`The ${words} is damaged: ${reason}. Check whether a proxy changes it.`)
}

function typeFindings(response: ReceivedResponse, { kind }: Content): readonly AddressFinding[] {
  const expected = mediaTypes[kind]
  if (!expected) return []
  const { ok, fault } = findingsOf('type')
  const name = mediaTypeOf(response)
  return [
    expected.includes(name)
      ? ok(`The content type is ${name}.`)
      : fault(
          `The content type is ${name === '' ? 'missing' : name} instead of ${expected[0]}. Configure the proxy to leave it unchanged.`,
        ),
  ]
}

function sizeFinding({ bytes }: ReceivedResponse, { kind }: Content): AddressFinding {
  const { ok, note, fault } = findingsOf('size')
  if (bytes <= maxGoogleBytes) return ok(`The size is ${kilobytes(bytes)} kB.`)
  const sentence = `The size is ${kilobytes(bytes)} kB.`
  return kind === 'calendar'
    ? fault(
        `${sentence} Google Calendar fails above about ${kilobytes(maxGoogleBytes)} kB. Select fewer calendars or fewer days.`,
      )
    : note(`${sentence} Show fewer items, or summaries instead of the full text.`)
}

function timeFinding({ tookMs }: ReceivedResponse): AddressFinding {
  const { ok, note, fault } = findingsOf('time')
  const sentence =
    tookMs < 100
      ? 'The response took less than 0.1 seconds'
      : `The response took ${(tookMs / 1_000).toFixed(1)} seconds`
  if (tookMs < slowMs) return ok(`${sentence}.`)
  return tookMs < tooSlowMs
    ? note(`${sentence}. iPhones show no progress in the meantime, so the button seems broken.`)
    : fault(`${sentence}, after which apps give up. Check the load and network of the server.`)
}

function compressionFindings({ headers, bytes }: ReceivedResponse): readonly AddressFinding[] {
  const { ok, note } = findingsOf('compression')
  const coding = headers['content-encoding']
  if (coding !== undefined) return [ok(`The response is compressed with ${coding}.`)]
  if (bytes < minCompressedBytes) return []
  return [note('The response is not compressed. Configure the proxy to pass on Accept-Encoding.')]
}

export function isPrivate({ pathname }: URL): boolean {
  return linkPath.test(pathname)
}

const linkPath = /\/l\/[^/]+(?=\/|$)/

export function withoutKey(address: URL): string {
  return `${address.origin}${address.pathname.replace(linkPath, '/l/…')}`.slice(0, maxShownLength)
}

const maxShownLength = 120

function privacyFinding({ headers }: ReceivedResponse): AddressFinding {
  const { ok, fault } = findingsOf('privacy')
  const isKeptPrivate = /\b(?:private|no-store)\b/i.test(headers['cache-control'] ?? '')
  if (!isKeptPrivate) {
    return fault(
      'Cache-Control does not contain "private", so shared caches may store this private feed. Configure the proxy to leave the header unchanged.',
    )
  }
  return /\bnoindex\b/i.test(String(headers['x-robots-tag'] ?? ''))
    ? ok('Shared caches do not store it, and search engines do not list it.')
    : fault(
        'X-Robots-Tag does not contain "noindex", so search engines may list this private address. Configure the proxy to leave the header unchanged.',
      )
}

function kilobytes(bytes: number): string {
  return Math.ceil(bytes / 1_000).toLocaleString('en')
}
