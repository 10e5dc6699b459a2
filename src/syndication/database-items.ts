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
import { instantFromSiteTime, type SiteDateTime } from '../records/site-time.ts'
import {
  itemDraft,
  summaryOf,
  titleOf,
  type ItemContents,
  type ItemDraft,
  type ItemSource,
  instantOrFirstSeen,
} from './feed-item.ts'
import { escapeHtml, paragraphsFrom } from './html.ts'

type DatabaseRecord = RecordOf[DatabaseResource]

/** Converts the records of a custom database to items. The record that changed last comes first. */
export function itemsFromDatabase(
  view: DatabaseView,
  records: readonly DatabaseRecord[],
  source: ItemSource,
): readonly ItemDraft[] {
  return records.map((record) => {
    const { created, modified = created } = record
    const instantOf = (time: SiteDateTime | undefined) =>
      time === undefined ? undefined : instantFromSiteTime(time, source.timeZone)
    const publishedAt = instantOrFirstSeen(created, record.id, source)
    return itemDraft(
      {
        idPrefix: `database-${view.databaseId}`,
        recordId: record.id,
        publishedAt,
        order: Math.max(publishedAt, instantOf(modified) ?? 0),
        title: () => titleOf(databaseTitle(record, view)),
        contents: (title) => contentsOf(record, view, { title, source }),
      },
      source,
    )
  })
}

function contentsOf(
  record: DatabaseRecord,
  view: DatabaseView,
  { title, source }: { readonly title: string; readonly source: ItemSource },
): ItemContents {
  const { date = '' } = view
  const day = databaseTime(record, view)?.slice(0, 10)
  const lines = [
    ...(day === undefined
      ? []
      : [`${fieldLabel(record, date)}: ${longDayInWords(day, undefined)}`]),
    ...shownFields(record, view, source).map(({ label, value }) => `${label}: ${value}`),
  ]
  const contentHtml = lines.map(paragraphsFrom).join('\n') || `<p>${escapeHtml(title)}</p>`
  return { summary: summaryOf(lines.map(escapeHtml).join('. ')), contentHtml }
}
