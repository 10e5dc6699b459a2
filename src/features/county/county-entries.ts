import type { Department } from '../../feeds/county.ts'
import type { ListedEntry } from '../../feeds/feed.ts'
import { cleanText } from '../../text/text.ts'
import { sourceOf } from './county-colors.ts'

/** An entry of a department. `texts` are folded for searches. */
export type CountyEntry = ListedEntry & { readonly url: string; readonly texts: readonly string[] }

/** Returns the entries of the chosen departments, from 30 days ago to 180 days ahead. */
export function countyEntries(
  departments: readonly Department[],
  chosen: readonly Department[],
): readonly CountyEntry[] {
  return departments.flatMap((department, index) =>
    chosen.includes(department) ? entriesOf(department, sourceOf(index)) : [],
  )
}

function entriesOf({ name, publicUrl, calendar }: Department, source: string) {
  const credit = ` (${cleanText(name)})`
  return (calendar?.events ?? []).map(({ entry, time, texts }): CountyEntry => {
    const { summary, location, status, url = `${publicUrl}/`, uid } = entry
    return {
      kind: 'department',
      recordId: Number(/-(\d+)@/.exec(uid)?.[1] ?? 0),
      title: summary.endsWith(credit) ? summary.slice(0, -credit.length) : summary,
      time,
      start: time.start,
      allDay: time.allDay,
      location,
      category: name,
      isCanceled: status === 'cancelled',
      places: undefined,
      source,
      color: '',
      url,
      texts,
    }
  })
}
