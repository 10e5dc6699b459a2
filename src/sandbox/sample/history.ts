import { plusDays } from '../site-dates.ts'

/** Authors and times of creation and of the last change. */
export type History = {
  readonly created: string
  readonly createdBy: string
  readonly modified: string
  readonly modifiedBy: string
}

/** Number of days from creation to a record's date, large enough that creation is always in the past. */
const createdDaysBefore = 400
const modifiedDaysBefore = 400 - 12

/** Returns a history for a record created well before a date, with a change 12 days later if `isChanged`. */
export function historyBefore(date: string, author: string, isChanged: boolean): History {
  return {
    created: `${plusDays(date, -createdDaysBefore)} 09:15:00`,
    createdBy: author,
    modified: isChanged ? `${plusDays(date, -modifiedDaysBefore)} 20:40:10` : '',
    modifiedBy: isChanged ? author : '',
  }
}
