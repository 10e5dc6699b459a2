import { feedMessages } from '../../src/feeds/messages.ts'
import { entriesIn, type Entry } from './entries.ts'
import type { Violations } from './violations.ts'
import type { EditedEvent } from './website.ts'

/** Real time in which a feed must be served. */
const responseTimeoutMs = 20_000

/** Smallest share of the entries that a feed may still have. */
const smallestShare = 0.5

export type Polls = { requests: number; unchanged: number; parsed: number }

/** The webmaster's edits, and those that subscribers must already see. */
export type Truth = {
  /** Time on the clocks of the services' machines. */
  readonly serviceNow: () => number
  readonly events: () => readonly EditedEvent[]
  /** False while replicas may have read different records. */
  readonly canAgree: () => boolean
  /** True if an edit at this time must be visible. */
  readonly mustShow: (editedAt: number) => boolean
}

type SubscriberOptions = {
  readonly violations: Violations
  readonly truth: Truth
  /** True for a program that only knows `If-Modified-Since`. */
  readonly knowsOnlyDates?: boolean
}

/** A subscriber's copy of a feed. */
type Copy = {
  readonly etag: string
  /** Undefined in the second of a change, and while it would be in the future. */
  readonly lastModified: number | undefined
  /** Latest date so far. */
  readonly latestDate: number
  readonly entries: ReadonlyMap<string, Entry>
  /** Largest number of entries so far. */
  readonly max: number
  /** Latest revision of each entry so far. */
  readonly revisions: Map<string, Pick<Entry, 'sequence' | 'modifiedAt'>>
}

/**
 * Creates a subscriber that polls feeds the way phones do, keeps what it gets, and reports everything
 * that would confuse them.
 */
export function createSubscriber(
  service: string,
  { violations, truth, knowsOnlyDates = false }: SubscriberOptions,
) {
  const copies = new Map<string, Copy>()
  const polls: Polls = { requests: 0, unchanged: 0, parsed: 0 }
  const edits = createEditCheck(service, { violations, truth })

  const conditionOf = ({ etag, lastModified }: Copy): Record<string, string> => {
    if (!knowsOnlyDates) return { 'If-None-Match': etag }
    if (lastModified === undefined) return {}
    return { 'If-Modified-Since': new Date(lastModified).toUTCString() }
  }

  async function fetchFeed(url: string, feed: string): Promise<void> {
    const copy = copies.get(feed)
    const response = await fetch(url, {
      headers: copy ? conditionOf(copy) : {},
      signal: AbortSignal.timeout(responseTimeoutMs),
    })
    const text = await response.text()
    polls.requests += 1
    if (response.status === 304) {
      polls.unchanged += 1
      return
    }
    if (response.status !== 200) {
      const sentence = `got status ${response.status}: ${text.slice(0, 200)}`
      violations.add(`status ${response.status}`, { service, feed, entry: '', sentence })
      return
    }
    polls.parsed += 1
    copies.set(feed, nextCopy(feed, copy, response.headers, entriesIn(text, feed)))
  }

  function nextCopy(
    feed: string,
    copy: Copy | undefined,
    headers: Headers,
    entries: readonly Entry[],
  ): Copy {
    const report = (kind: string, sentence: string, entry = '') =>
      violations.add(kind, { service, feed, entry, sentence })
    const max = Math.max(copy?.max ?? 0, entries.length)
    if (entries.length === 0) report('empty', 'is empty')
    else if (entries.length < max * smallestShare) {
      report('small', `has ${entries.length} of ${max} entries`)
    }
    const date = headers.get('Last-Modified')
    const lastModified = date === null ? undefined : Date.parse(date)
    const before = copy?.latestDate ?? -Infinity
    if (lastModified !== undefined && !(lastModified >= before)) {
      report('Last-Modified', `Last-Modified went from ${before} to ${lastModified}`)
    }
    // RFC 9110 8.8.2.1.
    if (lastModified !== undefined && lastModified > truth.serviceNow()) {
      report('future', `Last-Modified is in the future: ${lastModified}`)
    }
    const latestDate = Math.max(before, lastModified ?? before)
    const revisions = copy?.revisions ?? new Map()
    for (const { id, sequence, modifiedAt, title } of entries) {
      const known = revisions.get(id)
      if (known && (sequence < known.sequence || modifiedAt < known.modifiedAt)) {
        const from = `${known.sequence} of ${known.modifiedAt}`
        report('revision', `“${title}” went from ${from} to ${sequence} of ${modifiedAt}`, id)
      }
      revisions.set(id, { sequence, modifiedAt })
    }
    const byId = new Map(entries.map((entry) => [entry.id, entry]))
    if (byId.size < entries.length) report('twice', 'has two entries with the same id')
    const etag = headers.get('ETag') ?? ''
    return { etag, lastModified, latestDate, entries: byId, max, revisions }
  }

  return {
    polls,
    poll: async (url: string): Promise<void> => {
      const { pathname } = new URL(url)
      const feed = pathname.replace(/^\/l\/[^/]+/, '/l/…')
      try {
        await fetchFeed(url, feed)
      } catch (error) {
        const sentence = `did not respond: ${String(error)}`
        violations.add('no response', { service, feed, entry: '', sentence })
      }
      const copy = copies.get(feed)
      if (copy && feed.endsWith('/events.ics')) edits(feed, [...copy.entries.values()])
    },
  }
}

/** Reports a private feed that is public, so that it contains anything but the notice that it is private. */
export async function checkPrivate(
  url: string,
  service: string,
  violations: Violations,
): Promise<void> {
  const signal = AbortSignal.timeout(responseTimeoutMs)
  const response = await fetch(url, { signal }).catch(() => undefined)
  if (!response) return
  const text = await response.text()
  const { pathname: feed } = new URL(url)
  const { title: notice } = feedMessages('en').madePrivate
  const isPublic = response.ok && entriesIn(text, feed).some(({ title }) => title !== notice)
  if (isPublic) violations.add('public', { service, feed, entry: '', sentence: 'is public' })
}

/** Creates a check that a calendar shows the webmaster's edits, and no changes that nobody made. */
function createEditCheck(
  service: string,
  { violations, truth }: SubscriberOptions,
): (feed: string, entries: readonly Entry[]) => void {
  const known = new Map<string, { readonly edits: number } & Pick<Entry, 'id' | 'sequence'>>()

  return (feed, entries) => {
    const byNumber = new Map(
      entries.map((entry) => [Number(/^Soak event (\d+)/.exec(entry.title)?.[1]), entry]),
    )
    for (const { number, event, editedAt, edits, isRemoved } of truth.events()) {
      const entry = byNumber.get(number)
      const report = (kind: string, sentence: string) =>
        violations.add(kind, { service, feed, entry: entry?.id ?? event.title, sentence })
      const start = `TZID=America/New_York:${`${event.startDate}T${event.startTime}`.replaceAll(/[-:]/g, '')}`
      const isShown = entry?.title === event.title && entry.start === start
      if (truth.mustShow(editedAt) && isShown === isRemoved) {
        const shown = entry ? `“${entry.title}” at ${entry.start}` : 'nothing'
        report('old', `shows ${shown} for edit ${edits} of “${event.title}” at ${start}`)
      }
      if (!entry) continue
      const key = `${feed} ${number}`
      const before = known.get(key)
      if (before && before.id !== entry.id) report('id', `has a different id than ${before.id}`)
      if (!isShown) continue
      if (before?.edits === edits && before.sequence !== entry.sequence) {
        report('unchanged', `went from ${before.sequence} to ${entry.sequence} without a change`)
      }
      // The first change that a replica has noticed on its own may not be the one that prevails.
      if (truth.canAgree()) known.set(key, { edits, id: entry.id, sequence: entry.sequence })
      else known.delete(key)
    }
  }
}
