import { endOfSpan, mediumDay, timeInWords, type TimeSpan } from '../records/date-words.ts'
import type { SiteTimes } from '../records/language.ts'
import { lineWithCommas, oneLine } from '../text/plain-text.ts'
import type { RecordOf } from '../records/read-records.ts'
import { joinedSentences } from '../text/text.ts'
import { instantFromSiteTime, zonedEndOf, zonedTimeFromSiteTime } from '../records/site-time.ts'
import { itemDraft, summaryOf, summaryOfText, titleOf, type ItemSource } from './feed-item.ts'
import { cleanHtml, paragraphsFrom } from '../text/html.ts'
import { itemMessages } from './messages.ts'

/** The item disappears when the event ends, or at midnight without an end. Soonest first. */
export function draftFromEvent(event: RecordOf['events'], source: ItemSource, time: TimeSpan) {
  const { timeZone, language, siteUrl } = source
  const { title, text } = event
  const { allDay, start, end } = time
  const messages = itemMessages(language)
  return itemDraft(event, source, {
    idPrefix: 'events',
    ...timedItem(time, source, () => titleOf(title, source)),
    contents: () => {
      const [place, contact] = [lineWithCommas(event.location), oneLine(event.contact)]
      const facts = [timeInWords(time, language), place].filter((fact) => fact !== '')
      return {
        event: {
          start: allDay ? start : zonedTimeFromSiteTime(start, timeZone),
          end: !end || allDay ? (end ?? undefined) : zonedEndOf({ start, end }, timeZone),
          allDay,
          timeZone,
          place,
        },
        summary: () => summaryOfText(joinedSentences([...facts, summaryOf(text)])),
        html: [
          ...facts.map(paragraphsFrom),
          cleanHtml(text, siteUrl),
          contact === '' ? '' : paragraphsFrom(messages.labeled(messages.contact, contact)),
        ],
      }
    },
  })
}

/** Returns the order, title and end of an item about something that takes place at a certain time. */
export function timedItem(time: TimeSpan, { timeZone, language }: SiteTimes, title: () => string) {
  const { allDay, start } = time
  const instantOf = (siteTime: string) => instantFromSiteTime(siteTime, timeZone)
  return {
    expiresAt: instantOf(endOfSpan(time)),
    order: -instantOf(allDay ? `${start}T00:00:00` : start),
    title: () => itemMessages(language).labeled(mediumDay(start.slice(0, 10), language), title()),
  }
}
