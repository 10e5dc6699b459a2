import type { TimeSource } from '../../clock.ts'
import { todayAt, type Site } from '../../feeds/site.ts'
import {
  clockOn,
  dayInWords,
  dayParts,
  daysInWords,
  monthInWords,
  shortDayInWords,
  spanInWords,
  spanOnTwoLines,
  type TimeSpan,
} from '../../records/date-words.ts'
import type { SiteMonth } from '../../records/month-grid.ts'
import { siteDateAt, type SiteDate } from '../../records/site-time.ts'
import type { BoardItem } from '../../signage/board-item.ts'
import { isText } from '../../signage/board-view.js'

/** Creates the functions that templates call for dates, relative to the site's current date. */
export function createPageWords(site: Site, clock: TimeSource) {
  const today = () => todayAt(site, clock.now())
  const day = (date: SiteDate) => dayInWords(date, today())
  return {
    day,
    /** The site's day at an instant. */
    dayAt: (instant: number) => day(siteDateAt(instant, site.timeZone)),
    /** `Nov 28`, with the year unless it is this year. */
    shortDay: (date: SiteDate) => shortDayInWords(date, today()),
    days: (first: SiteDate, last: SiteDate) => daysInWords(first, last, today()),
    month: (month: SiteMonth) => monthInWords(month, today()),
    monthAndYear: (month: SiteMonth) => monthInWords(month, undefined),
    /** The time of an entry on one of its days; empty if it lasts all of that day. */
    clockOn: (span: TimeSpan, date: SiteDate) => clockOn(span, date),
    when: (span: TimeSpan) => spanInWords(span, today()),
    onTwoLines: (span: TimeSpan) => spanOnTwoLines(span, today()),
    /** Weekday, month and number of the day on which an entry starts, for a tile. */
    startParts: ({ start }: TimeSpan) => dayParts(start.slice(0, 10)),
    /** Returns when an item in a list takes place, or the day on which it was published. */
    listed: (item: BoardItem) =>
      isText(item) ? day(item.start.slice(0, 10)) : spanInWords(item, today()),
  }
}
