import { lastChangeOf } from '../records/known-changes.ts'
import { oneLine } from '../records/plain-text.ts'
import type { PublicEvent } from '../records/public-event.ts'
import { instantFromSiteTime, type SiteDateTime } from '../records/site-time.ts'
import { summaryOf, titleOf, type FeedItem, type ItemDraft, type ItemSource } from './feed-item.ts'
import { cleanHtml, escapeHtml } from './html.ts'
import { tagUri } from './tag-uri.ts'

/** When an event is. Milliseconds since the epoch. */
export type EventTime = {
  readonly startsAt: number
  /** When it is over. */
  readonly endsAt: number
  /** `Sunday, March 8, 2026, 8:00 AM – 11:30 AM` */
  readonly words: string
  /** `Mar 8, 2026` */
  readonly day: string
}

/** Every event that is Online as an item until it is over, the soonest first. */
export function itemsFromEvents(
  events: readonly PublicEvent[],
  source: ItemSource,
  timeOf: (event: PublicEvent) => EventTime,
): readonly ItemDraft[] {
  return events
    .filter(({ status }) => status === 'online')
    .map((event) => {
      const time = timeOf(event)
      const known = source.knownOf(event.id)
      const created = event.created
        ? instantFromSiteTime(event.created, source.timeZone)
        : known.firstSeenAt
      const times = {
        // What is announced for the future is out as soon as it is known.
        publishedAt: Math.min(created, known.firstSeenAt),
        expiresAt: time.endsAt,
      }
      const make = () => itemFrom(event, { time, times, source })
      return { recordId: event.id, ...times, order: -time.startsAt, make }
    })
}

function itemFrom(
  event: PublicEvent,
  {
    time,
    times,
    source,
  }: {
    readonly time: EventTime
    readonly times: Pick<FeedItem, 'publishedAt' | 'expiresAt'>
    readonly source: ItemSource
  },
): FeedItem {
  const { id, text } = event
  const { siteUrl, timeZone, urlOf, knownOf } = source
  const instantOf = (siteTime: SiteDateTime) => instantFromSiteTime(siteTime, timeZone)
  const [location, contact] = [oneLine(event.location), oneLine(event.contact)]
  const facts = [time.words, location].filter((fact) => fact !== '')
  return {
    id: tagUri(siteUrl, `events-${id}`),
    recordId: id,
    url: urlOf(id),
    title: `${time.day}: ${titleOf(event.title)}`,
    summary: summaryOf([...facts.map(escapeHtml), text].join('. ')),
    contentHtml: [
      ...facts.map((fact) => `<p>${escapeHtml(fact)}</p>`),
      cleanHtml(text, siteUrl),
      contact !== '' ? `<p>Contact: ${escapeHtml(contact)}</p>` : '',
    ]
      .filter((part) => part !== '')
      .join('\n'),
    author: '',
    category: '',
    pictures: [],
    attachments: [],
    ...times,
    updatedAt: Math.max(times.publishedAt, lastChangeOf(knownOf(id), instantOf)),
  }
}
