import type { Clock } from '../../clock.ts'
import { todayAt, type Site } from '../../feeds/site.ts'
import { dayInWords, spanInWords, type TimeSpan } from '../../records/date-words.ts'
import type { BoardItem } from '../../signage/board-item.ts'
import { isText } from '../../signage/board-view.js'

/** Creates the functions that templates call for dates, relative to the site's current date. */
export function createPageWords(
  site: Pick<Site, 'timeZone' | 'isStatic'>,
  clock: Pick<Clock, 'now'>,
) {
  const today = () => todayAt(site, clock.now())
  return {
    when: (span: TimeSpan) => spanInWords(span, today()),
    /** Returns when an item in a list takes place, or the day on which it was published. */
    listed: (item: Pick<BoardItem, 'role' | 'start' | 'end' | 'allDay'>) =>
      isText(item) ? dayInWords(item.start.slice(0, 10), today()) : spanInWords(item, today()),
  }
}
