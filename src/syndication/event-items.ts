import { oneLine } from '../records/plain-text.ts'
import type { RecordOf } from '../records/read-records.ts'
import { instantFromSiteTime } from '../records/site-time.ts'
import {
  itemDraft,
  type EventFacts,
  summaryOf,
  titleOf,
  type ItemContents,
  type ItemDraft,
  type ItemSource,
} from './feed-item.ts'
import { cleanHtml, escapeHtml } from './html.ts'

/** Time of an event, in milliseconds since the epoch. */
export type EventTime = {
  readonly startsAt: number
  /** End of the event. */
  readonly endsAt: number
  readonly facts: () => Omit<EventFacts, 'place'>
  /** `Sunday, March 8, 2026, 8:00 AM – 11:30 AM` */
  readonly words: () => string
  /** `Mar 8, 2026` */
  readonly day: () => string
}

/** Converts Online events to items, soonest first. Items disappear when the event ends. */
export function itemsFromEvents(
  events: readonly RecordOf['events'][],
  source: ItemSource,
  timeOf: (event: RecordOf['events']) => EventTime,
): readonly ItemDraft[] {
  return events
    .filter(({ status }) => status === 'online')
    .map((event) => {
      const time = timeOf(event)
      const known = source.knownOf(event.id)
      const created = event.created
        ? instantFromSiteTime(event.created, source.timeZone)
        : known.firstSeenAt
      return itemDraft(
        {
          idPrefix: 'events',
          recordId: event.id,
          // `created` may be in the future, but the event is published once Feedhouse sees it.
          publishedAt: Math.min(created, known.firstSeenAt),
          expiresAt: time.endsAt,
          order: -time.startsAt,
          title: () => `${time.day()}: ${titleOf(event.title)}`,
          contents: () => contentsOf(event, time, source.siteUrl),
        },
        source,
      )
    })
}

function contentsOf(event: RecordOf['events'], time: EventTime, siteUrl: string): ItemContents {
  const [location, contact] = [oneLine(event.location), oneLine(event.contact)]
  const facts = [time.words(), location].filter((fact) => fact !== '')
  return {
    event: { ...time.facts(), place: location },
    summary: summaryOf([...facts.map(escapeHtml), event.text].join('. ')),
    contentHtml: [
      ...facts.map((fact) => `<p>${escapeHtml(fact)}</p>`),
      cleanHtml(event.text, siteUrl),
      contact !== '' ? `<p>Contact: ${escapeHtml(contact)}</p>` : '',
    ]
      .filter((part) => part !== '')
      .join('\n'),
  }
}
