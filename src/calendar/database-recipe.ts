import {
  databaseTime,
  databaseTitle,
  isDatabaseRecordShown,
  shownFields,
  type DatabaseView,
} from '../records/custom-database.ts'
import type { RecordOf } from '../records/read-records.ts'
import type { DatabaseResource } from '../records/resources.ts'
import type { SiteDateTime } from '../records/site-time.ts'
import { type EntryTime, wholeDay } from './calendar-entry.ts'
import { labeled, lines, untitled, type EntryRecipe } from './entry-recipe.ts'

type DatabaseRecord = RecordOf[DatabaseResource]

/** Returns the recipe for the dated records of a custom database. Others are not shown. */
export function databaseRecipe(view: DatabaseView): EntryRecipe<DatabaseResource> {
  return {
    resource: `databases/${view.databaseId}`,
    uidPrefix: `database-${view.databaseId}`,
    isShown: (record, profile) =>
      isDatabaseRecordShown(record, profile) && databaseTime(record, view) !== undefined,
    timeOf: (record) => ({ time: timeOf(record, view) }),
    blocksTime: 'never',
    textFor: (record, reader) => ({
      summary: databaseTitle(record, view) || untitled,
      location: '',
      description: lines(
        ...shownFields(record, view, reader).map(({ label, value }) => labeled(label, value)),
      ),
      categories: [],
    }),
  }
}

/** Returns the record's day, or its time if the date has a time other than midnight. */
function timeOf(record: DatabaseRecord, view: DatabaseView): EntryTime {
  const start = databaseTime(record, view) ?? record.created ?? unknownTime
  const day = start.slice(0, 10)
  return start.endsWith('T00:00:00') ? wholeDay(day) : { allDay: false, start, end: undefined }
}

/** Time of records that are not shown. */
const unknownTime: SiteDateTime = '1970-01-01T00:00:00'
