import { plusDays } from '../site-dates.ts'

/** Who made and changed a record, and when. */
export type History = {
  readonly created: string
  readonly createdBy: string
  readonly modified: string
  readonly modifiedBy: string
}

/** Long enough before anything the sample shows for it to be in the past. */
const createdDaysBefore = 400
const modifiedDaysBefore = 400 - 12

/** A record made well before its date, and when `isChanged`, changed twelve days later. */
export function historyBefore(date: string, author: string, isChanged: boolean): History {
  return {
    created: `${plusDays(date, -createdDaysBefore)} 09:15:00`,
    createdBy: author,
    modified: isChanged ? `${plusDays(date, -modifiedDaysBefore)} 20:40:10` : '',
    modifiedBy: isChanged ? author : '',
  }
}
