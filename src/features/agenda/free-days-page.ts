import type { Feed, FeedPart } from '../../feeds/feed.ts'
import { readOptions } from '../../options/option.ts'
import { wholeNumber } from '../../options/value-types.ts'
import { firstDayOf, hasDistantEnd } from '../../records/date-words.ts'
import { countedTime, freeSaturdays, usesInMonth } from '../../records/day-use.ts'
import { firstWeekday, weekdaysIn } from '../../records/language.ts'
import { lastDayIn, monthsAfter } from '../../records/site-month.ts'
import { requireReadable } from '../../web/viewer.ts'
import { BadOption } from '../../web/errors.ts'
import { feedIn, type PageRequest } from '../../web/page-handler.ts'

/** Number of months on the page, including this one. */
const monthsShown = 12

const saturdaysShown = 6

const freeDaysOptions = {
  type: { name: 'type', type: wholeNumber(1, Number.MAX_SAFE_INTEGER), defaultValue: undefined },
}

export const hasFreeDays = ({ boardRole }: Feed) => boardRole === 'bookings'

/** Shows `/rental/free`, the free and taken days of each hall. It never shows who has booked. */
export async function showFreeDays(page: PageRequest) {
  const feed = feedIn(page)
  if (!feed) return undefined
  const { context, render, viewer, query, now, today } = page
  const { site, collections, overviews } = context
  requireReadable(feed, viewer)
  // The public profile contains no names.
  const profile = 'public'
  const { parts } = await overviews.read(feed, profile)
  const chosen = chosenHall(parts, query)
  const thisMonth = today.slice(0, 7)
  const months = Array.from({ length: monthsShown }, (_, index) => monthsAfter(thisMonth, index))
  const to = lastDayIn(monthsAfter(thisMonth, monthsShown - 1))
  const source = await collections.read(feed.resource)
  // Without types, all bookings are for the same hall. A static host has no page for each hall.
  const all =
    parts.length === 0 ? [{ name: feed.textIn(site.language).title, id: undefined }] : parts
  const isOn = ({ id }: (typeof all)[number]) => id === (chosen ?? all[0]?.id)
  const shown = site.isStatic ? all : all.filter(isOn)
  const choices = site.isStatic || all.length < 2 ? [] : all
  const first = firstWeekday(site.language)
  return render('agenda/free-days', {
    isIncomplete: source.unreadCount > 0,
    weekdays: weekdaysIn(site.language),
    halls: shown.map(({ id, name }) => {
      // A booking without a type (0) may be for any hall.
      const range = { from: today, to, parts: id === undefined ? [] : [id, 0] }
      const entries = [...(feed.listed?.(source, range, { site, profile, now }) ?? [])]
      const bookings = entries.map(({ time }) => countedTime(time))
      const distant = entries.filter(({ time }) => hasDistantEnd(time))
      return {
        name,
        distantEnds: [...new Set(distant.map(({ time }) => firstDayOf(time)))].toSorted(),
        saturdays: freeSaturdays(bookings, { from: today, to, max: saturdaysShown }),
        months: months.map((month) => ({
          month,
          weeks: usesInMonth(bookings, month, { from: today, firstWeekday: first }),
        })),
      }
    }),
    choices: choices.map((hall) => ({
      name: hall.name,
      url: `free?type=${hall.id}`,
      isOn: isOn(hall),
    })),
  })
}

function chosenHall(parts: readonly FeedPart[], query: URLSearchParams): number | undefined {
  const reading = readOptions(freeDaysOptions, query)
  const type = reading.ok ? reading.chosen.values.type : undefined
  if (reading.ok && (type === undefined || parts.some(({ id }) => id === type))) return type
  const known = parts.map(({ id, name }) => `${id} (${name})`).join(', ')
  throw new BadOption(`type must be one of ${known || 'the rental types of the website'}.`)
}
