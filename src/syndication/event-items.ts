import type { RecordOf } from '../records/read-records.ts'
import { oneLine } from '../records/plain-text.ts'
import {
  instantOrFirstSeen,
  itemDraft,
  summaryOf,
  titleOf,
  type EventFacts,
  type ItemSource,
} from './feed-item.ts'
import { cleanHtml, escapeHtml, paragraphsFrom } from './html.ts'

/** Time of an event, in milliseconds since the epoch. */
export type EventTime = {
  readonly startsAt: number
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
) {
  return events
    .filter(({ status }) => status === 'online')
    .map((event) => {
      const { id, created, title, text } = event
      const time = timeOf(event)
      return itemDraft(event, source, {
        idPrefix: 'events',
        // `created` may be in the future, but the event is published once Feedhouse sees it.
        publishedAt: Math.min(
          instantOrFirstSeen(created, id, source),
          source.knownOf(id).firstSeenAt,
        ),
        expiresAt: time.endsAt,
        order: -time.startsAt,
        title: () => `${time.day()}: ${titleOf(title)}`,
        contents: () => {
          const [place, contact] = [oneLine(event.location), oneLine(event.contact)]
          const facts = [time.words(), place].filter((fact) => fact !== '')
          return {
            event: { ...time.facts(), place },
            summary: summaryOf([...facts.map(escapeHtml), text].join('. ')),
            html: [
              ...facts.map(paragraphsFrom),
              cleanHtml(text, source.siteUrl),
              contact === '' ? '' : paragraphsFrom(`Contact: ${contact}`),
            ],
          }
        },
      })
    })
}
