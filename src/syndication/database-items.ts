import {
  databaseTime,
  databaseTitle,
  fieldLabel,
  shownFields,
  type DatabaseView,
} from '../records/custom-database.ts'
import { longDayInWords } from '../records/date-words.ts'
import type { RecordOf } from '../records/read-records.ts'
import type { DatabaseResource } from '../records/resources.ts'
import { instantFromSiteTime } from '../records/site-time.ts'
import {
  appearanceOf,
  itemDraft,
  summaryOfText,
  titleOfText,
  type ItemSource,
} from './feed-item.ts'
import { paragraphsFrom } from '../text/html.ts'
import { itemMessages } from './messages.ts'

type DatabaseRecord = RecordOf[DatabaseResource]

/** Converts a record of a custom database to an item. The record that changed last comes first. */
export function draftFromDatabase(view: DatabaseView, record: DatabaseRecord, source: ItemSource) {
  const { id, created, modified } = record
  const modifiedAt = modified === undefined ? 0 : instantFromSiteTime(modified, source.timeZone)
  return itemDraft(record, source, {
    idPrefix: `database-${view.databaseId}`,
    order: Math.max(appearanceOf(created, id, source), modifiedAt),
    title: () => titleOfText(databaseTitle(record, view), source),
    contents: () => {
      const lines = linesFrom(record, view, source)
      return { summary: () => summaryOfText(lines.join('. ')), html: lines.map(paragraphsFrom) }
    },
  })
}

function linesFrom(
  record: DatabaseRecord,
  view: DatabaseView,
  source: ItemSource,
): readonly string[] {
  const { date = '' } = view
  const { language } = source
  const { labeled } = itemMessages(language)
  const day = databaseTime(record, view)?.slice(0, 10)
  const fields = shownFields(record, view, source).map(({ label, value }) => labeled(label, value))
  return day === undefined
    ? fields
    : [labeled(fieldLabel(record, date), longDayInWords(day, undefined, language)), ...fields]
}
