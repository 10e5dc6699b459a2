import { listPartOptions } from '../../feeds/feed-options.ts'
import type { Feed } from '../../feeds/feed.ts'
import type { ChosenOptions } from '../../options/option.ts'
import { boardOf, type BoardItem } from '../../signage/board-item.ts'
import { daysAfter } from '../../signage/board-view.js'

const hourMs = 60 * 60 * 1000

/** A shift by day, as opposed to a drill or a meeting in the same calendar. */
const minShiftMs = 8 * hourMs

/** Returns the feed with the calendars that say who is on duty, and the options that select them. */
export function dutyCalendars(
  feeds: readonly Feed[],
  ids: readonly number[],
): { readonly feed: Feed; readonly chosen: ChosenOptions } | undefined {
  if (ids.length === 0) return undefined
  const [found] = feeds.flatMap((feed) => {
    const chosen = listPartOptions(feed, { option: 'calendar', ids })
    return chosen ? [{ feed, chosen }] : []
  })
  return found
}

/** Returns the all-day entries, overnight entries and long shifts among the entries of duty calendars. */
export function dutyItems(items: readonly BoardItem[]): readonly BoardItem[] {
  return items.filter(isDuty).map((item) => ({ ...item, role: 'duty' }))
}

function isDuty({ allDay, start, end }: BoardItem): boolean {
  if (allDay) return true
  if (end === null) return false
  const isOvernight = end > `${daysAfter(start.slice(0, 10), 1)}T00:00:00`
  return isOvernight || Date.parse(`${end}Z`) - Date.parse(`${start}Z`) >= minShiftMs
}

/** Merges the items of all feeds. Drops agenda items that are also duty items, even in another feed. */
export function withDutyOnce(
  items: readonly BoardItem[],
  feeds: readonly Feed[],
): readonly BoardItem[] {
  const duty = items.filter(({ role }) => role === 'duty')
  const others = items.filter(
    (item) => item.role !== 'duty' && !duty.some((each) => isSame(each, item)),
  )
  return [...duty, ...boardOf(others, feeds)]
}

function isSame(duty: BoardItem, { id, kind, role, title, start, allDay }: BoardItem): boolean {
  if (id === duty.id) return true
  // Entries of one feed are never the same.
  if (role !== 'agenda' || kind === duty.kind) return false
  const hasTitle = title.toLowerCase() === duty.title.toLowerCase()
  return hasTitle && start === duty.start && allDay === duty.allDay
}
