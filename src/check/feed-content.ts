import { Parser } from 'htmlparser2'
import { parsedJson } from '../json.ts'
import { english, type CheckMessages } from './messages/en.ts'

type FeedKind = 'calendar' | 'RSS' | 'Atom' | 'JSON Feed'

/** What a response contains. `entries` is the number of calendar entries or items. */
export type Content =
  | { readonly kind: FeedKind; readonly entries: number; readonly fault: string | undefined }
  | {
      readonly kind: 'web page'
      readonly title: string
      readonly hasPassword: boolean
      /** Feed URLs that the page links to, as written in the page. */
      readonly feeds: readonly string[]
    }
  | { readonly kind: 'unknown' }

/** Recognizes a feed or a web page from its text, and finds errors that make apps reject it. */
export function contentFrom(text: string, t = english): Content {
  const start = text.slice(0, 1_000).trimStart()
  if (/^\uFEFF?BEGIN:VCALENDAR/i.test(start)) return calendarFrom(text, t)
  if (start.startsWith('{')) return jsonFeedFrom(text, t)
  if (start.startsWith('<')) return xmlFeedFrom(text, t) ?? webPageFrom(text)
  return { kind: 'unknown' }
}

const maxNameLength = 100

const propertyLine = /^[A-Za-z\d-]+(?:;[^:"]*(?:"[^"]*"[^:"]*)*)?:/

function calendarFrom(text: string, t: CheckMessages): Content {
  const lines = unfolded(text)
  const entries = lines.filter(({ line }) => /^BEGIN:VEVENT$/i.test(line)).length
  return { kind: 'calendar', entries, fault: calendarFault(text, lines, t) }
}

type NumberedLine = { readonly line: string; readonly number: number }

/** Joins folded lines (RFC 5545 3.1). A joined line has the number of its first part. */
function unfolded(text: string): readonly NumberedLine[] {
  const lines: { parts: string[]; number: number }[] = []
  for (const [index, part] of text.split(/\r?\n/).entries()) {
    if (/^[ \t]/.test(part)) lines.at(-1)?.parts.push(part.slice(1))
    else lines.push({ parts: [part], number: index + 1 })
  }
  if (lines.at(-1)?.parts.join('') === '') lines.pop()
  return lines.map(({ parts, number }) => ({ line: parts.join(''), number }))
}

function calendarFault(
  text: string,
  lines: readonly NumberedLine[],
  { damages: t }: CheckMessages,
): string | undefined {
  if (text.startsWith('\uFEFF')) return t.byteOrderMark
  const open: string[] = []
  const uids = new Set<string>()
  let entry: string[] = []
  for (const { line, number } of lines) {
    if (!propertyLine.test(line)) return t.notAProperty(number)
    if (open.length === 0 && number > 1) return t.continues
    const [name = '', value = ''] = line.toUpperCase().split(':')
    if (name === 'BEGIN') {
      if (value === 'VEVENT') entry = []
      open.push(value.slice(0, maxNameLength))
    } else if (name === 'END') {
      if (open.pop() !== value) return t.notOpen(number)
      if (value !== 'VEVENT') continue
      const uid = uidOf(entry)
      if (uid === undefined) return t.noUid
      if (uids.has(uid)) return t.sameUid
      uids.add(uid)
    } else if (open.at(-1) === 'VEVENT') entry.push(line)
  }
  const component = open.at(-1)
  if (component !== undefined) return t.isCutOff(component)
  return lines.some(({ line }) => line === 'VERSION:2.0') ? undefined : t.noVersion
}

/** Returns an entry's UID and recurrence id, which together are unique. */
function uidOf(lines: readonly string[]): string | undefined {
  const valueOf = (name: string) => lines.find((line) => new RegExp(`^${name}[;:]`, 'i').test(line))
  const uid = valueOf('UID')
  return uid && `${uid} ${valueOf('RECURRENCE-ID') ?? ''}`
}

function jsonFeedFrom(text: string, t: CheckMessages): Content {
  const kind = 'JSON Feed'
  const feed = parsedJson(text) as { version?: unknown; items?: unknown } | undefined
  if (!feed) return { kind, entries: 0, fault: t.damages.invalidJson }
  const isFeed = String(feed.version).startsWith('https://jsonfeed.org/version/')
  if (!isFeed || !Array.isArray(feed.items)) return { kind: 'unknown' }
  return { kind, entries: feed.items.length, fault: undefined }
}

/** Maximum nesting. Each level takes longer to read than the one before. */
const maxDepth = 1_000

const roots: Readonly<Record<string, FeedKind>> = { rss: 'RSS', feed: 'Atom', 'rdf:RDF': 'RSS' }

function xmlFeedFrom(text: string, t: CheckMessages): Content | undefined {
  let kind: FeedKind | undefined
  let depth = 0
  let entries = 0
  let unclosed: string | undefined
  const parser = new Parser(
    {
      onopentagname(name) {
        if (depth === 0) kind = roots[name]
        if (name === 'item' || name === 'entry') entries += 1
        depth += 1
        if (depth <= maxDepth) return
        unclosed = name
        parser.pause()
      },
      onclosetag(name, isImplied) {
        depth -= 1
        const tag = text.slice(parser.startIndex, parser.endIndex + 1)
        const isSelfClosing = tag.startsWith(`<${name}`) && tag.endsWith('/>')
        if (isImplied && !isSelfClosing) unclosed ??= name
      },
    },
    { xmlMode: true },
  )
  parser.end(text)
  const fault = unclosed === undefined ? undefined : t.damages.notClosed(unclosed)
  return kind && { kind, entries, fault }
}

const feedTypes = /^(?:text\/calendar|application\/(?:rss\+xml|atom\+xml|feed\+json))$/i

function webPageFrom(text: string): Content {
  const feeds: string[] = []
  let title = ''
  let isInTitle = false
  let hasPassword = false
  let depth = 0
  const parser = new Parser({
    onopentag(name, { rel, type = '', href }) {
      depth += 1
      if (depth > maxDepth) parser.pause()
      if (name === 'title') isInTitle = title === ''
      if (name === 'input' && type.toLowerCase() === 'password') hasPassword = true
      if (name === 'link' && rel === 'alternate' && feedTypes.test(type) && href) feeds.push(href)
    },
    ontext(part) {
      if (isInTitle) title += part
    },
    onclosetag(name) {
      depth -= 1
      if (name === 'title') isInTitle = false
    },
  })
  parser.end(text)
  return { kind: 'web page', title: title.replaceAll(/\s+/g, ' ').trim(), hasPassword, feeds }
}
