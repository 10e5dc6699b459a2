import { zonedTimeFromSiteTime } from '../records/site-time.ts'
import type { BoardItem } from './board-item.ts'

const secondsPerText = 12
const secondsPerPicture = 15

/**
 * Converts a board's items to text items of a Concerto remote feed, and their pictures to separate
 * graphics. Concerto identifies each by `type` and `name`.
 */
export function concertoContents(items: readonly BoardItem[], timeZone: string) {
  return items.flatMap((item) => {
    const { id, title, when, location, text, end, endAt, pictureUrl } = item
    // Without an exact time, the end is a date.
    const endTime = endAt ?? (end && zonedTimeFromSiteTime(`${end}T00:00:00`, timeZone))
    const ends = endTime === null ? {} : { end_time: new Date(endTime).toISOString() }
    const words = [title, [when, location].filter((part) => part !== '').join(', '), text]
    const content = {
      type: 'RichText' as const,
      name: id,
      text: words.filter((part) => part !== '').join('\n'),
      render_as: 'plaintext' as const,
      duration: secondsPerText,
      ...ends,
    }
    if (pictureUrl === null) return [content]
    const picture = { name: id, url: pictureUrl, duration: secondsPerPicture, ...ends }
    return [content, { type: 'Graphic' as const, ...picture }]
  })
}
