import { mediaTypeOf, type ReceivedResponse } from './bounded-get.ts'
import type { Content } from './feed-content.ts'
import type { CheckMessages } from './messages/en.ts'

type CheckedResponse = {
  readonly url: URL
  readonly response: ReceivedResponse
  readonly content: Content
  /** Number of feeds that the web page names, or undefined if only a feed is allowed. */
  readonly feeds: number | undefined
  readonly maxBodyBytes: number
  /** Language of the texts, for formatting numbers. */
  readonly language: string
  readonly t: CheckMessages
}

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
    | 'parameters'
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
export function refusalFrom(
  { status, headers }: ReceivedResponse,
  t: CheckMessages,
): AddressFinding | undefined {
  if (status === 200) return undefined
  const { fault } = findingsOf('status')
  const isPage = /^text\/html\b/i.test(headers['content-type'] ?? '')
  if (status === 401 || status === 407) return findingsOf('sign-in').fault(t.password)
  if (status === 403 && isPage) return findingsOf('sign-in').fault(t.refusingPage)
  const refusal = t.statuses[status]
  if (refusal !== undefined) return fault(refusal)
  return fault(status >= 500 ? t.serverFails(status) : t.otherStatus(status))
}

export function responseFindings(checked: CheckedResponse): readonly AddressFinding[] {
  const { url, response, content } = checked
  if (response.text === undefined) return [unreadable(checked), timeFinding(checked)]
  const privacy = isPrivate(url) ? [privacyFinding(checked)] : []
  if (content.kind === 'web page') {
    return [pageFinding(content, checked), timeFinding(checked), ...privacy]
  }
  return [
    contentFinding(content, checked),
    ...typeFindings(checked),
    sizeFinding(checked),
    timeFinding(checked),
    ...compressionFindings(checked),
    ...privacy,
    ...parameterFindings(checked),
  ]
}

function unreadable({ response, maxBodyBytes, t, language }: CheckedResponse): AddressFinding {
  if (!response.isTooLarge) return findingsOf('compression').fault(t.notDecompressed)
  const limit = kilobytes(maxBodyBytes, language)
  return findingsOf('size').fault(t.tooLarge(limit, kilobytes(maxGoogleBytes, language)))
}

type WebPage = Extract<Content, { kind: 'web page' }>

function pageFinding(
  { title, hasPassword }: WebPage,
  { feeds, t }: CheckedResponse,
): AddressFinding {
  const { ok, fault } = findingsOf('sign-in')
  const page = title === '' ? t.webPage : t.webPageCalled(title.slice(0, 80))
  if (hasPassword) return fault(t.pageWithPassword(page))
  if (feeds === undefined) return fault(t.pageInsteadOfFeed(page))
  return feeds === 0 ? fault(t.pageWithoutFeeds(page)) : ok(t.pageWithFeeds(page, feeds))
}

function contentFinding(content: Exclude<Content, WebPage>, { t }: CheckedResponse) {
  const { ok, fault } = findingsOf('content')
  if (content.kind === 'unknown') return fault(t.unknownContent)
  const { kind, entries, fault: reason } = content
  const name = t.kinds[kind]
  return reason === undefined ? ok(t.complete(name, entries)) : fault(t.damaged(name, reason))
}

function typeFindings({ response, content, t }: CheckedResponse): readonly AddressFinding[] {
  const [expected, ...others] = mediaTypes[content.kind] ?? []
  if (expected === undefined) return []
  const { ok, fault } = findingsOf('type')
  const name = mediaTypeOf(response)
  if ([expected, ...others].includes(name)) return [ok(t.type(name))]
  return [fault(name === '' ? t.noType(expected) : t.wrongType(name, expected))]
}

function sizeFinding({ response, content, t, language }: CheckedResponse): AddressFinding {
  const { ok, note, fault } = findingsOf('size')
  const size = kilobytes(response.bytes, language)
  if (response.bytes <= maxGoogleBytes) return ok(t.size(size))
  return content.kind === 'calendar'
    ? fault(t.sizeTooLargeForGoogle(size, kilobytes(maxGoogleBytes, language)))
    : note(t.sizeLarge(size))
}

function timeFinding({ response: { tookMs }, t, language }: CheckedResponse): AddressFinding {
  const { ok, note, fault } = findingsOf('time')
  if (tookMs < 100) return ok(t.fast)
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
  const seconds = (tookMs / 1_000).toLocaleString(language, digits)
  if (tookMs < slowMs) return ok(t.took(seconds))
  return tookMs < tooSlowMs ? note(t.slow(seconds)) : fault(t.tooSlow(seconds))
}

function compressionFindings({ response, t }: CheckedResponse): readonly AddressFinding[] {
  const { ok, note } = findingsOf('compression')
  const coding = response.headers['content-encoding']
  if (coding !== undefined) return [ok(t.compressed(coding))]
  return response.bytes < minCompressedBytes ? [] : [note(t.notCompressed)]
}

export function isPrivate({ pathname }: URL): boolean {
  return linkPath.test(pathname)
}

const linkPath = /\/l\/[^/]+(?=\/|$)/

export function withoutKey(address: URL): string {
  return `${address.origin}${address.pathname.replace(linkPath, '/l/…')}`.slice(0, maxShownLength)
}

const maxShownLength = 120

function privacyFinding({ response: { headers }, t }: CheckedResponse): AddressFinding {
  const { ok, fault } = findingsOf('privacy')
  const isKeptPrivate = /\b(?:private|no-store)\b/i.test(headers['cache-control'] ?? '')
  if (!isKeptPrivate) return fault(t.maybeCached)
  const isUnlisted = /\bnoindex\b/i.test(String(headers['x-robots-tag'] ?? ''))
  return isUnlisted ? ok(t.isPrivate) : fault(t.maybeListed)
}

/** A string in the header, which a server other than Feedhouse may have sent. */
const unknownParameter = /"((?:[ !#-[\]-~]|\\["\\]){1,40})"(?:;suggestion="([\w-]{1,40})")?/g

function parameterFindings({ response, t }: CheckedResponse): readonly AddressFinding[] {
  const value = String(response.headers['feedhouse-unknown-parameters'] ?? '')
  const sentences = [...value.matchAll(unknownParameter)].map(([, name = '', suggestion]) =>
    t.noEffect(name.replace(/\\(.)/g, '$1'), suggestion),
  )
  return sentences.length === 0 ? [] : [findingsOf('parameters').note(sentences.join(' '))]
}

function kilobytes(bytes: number, language: string): string {
  return Math.ceil(bytes / 1_000).toLocaleString(language)
}
