import { todayAt } from '../../feeds/site.ts'
import { dayInWords } from '../../records/date-words.ts'
import type { BoardItem } from '../../signage/board-item.ts'
import type { SiteContext } from '../context.ts'

/** A story in a list. */
export type Story = Pick<BoardItem, 'title' | 'text' | 'category' | 'pictureUrl'> & {
  readonly path: string
  readonly day: string
}

/** Returns the latest items as stories, with pictures in the size for thumbnails or cards. */
export function storiesFrom(
  { site, basePath, pictures }: SiteContext,
  items: readonly BoardItem[],
  {
    limit,
    use,
    now,
  }: {
    readonly limit: number
    readonly use: 'thumbnail' | 'phone'
    readonly now: number
  },
): readonly Story[] {
  const latest = items.toSorted((a, b) => Number(a.start < b.start) - Number(a.start > b.start))
  // Browsers may use another address than the public one, so the path has to do.
  const here = { ...site, publicUrl: basePath }
  const today = todayAt(site, now)
  return pictures
    .hosted(latest.slice(0, limit), here, use)
    .map(({ kind, id, title, text, category, start, pictureUrl }) => ({
      path: `${kind}/${id.split('-').at(-1) ?? ''}`,
      title,
      text,
      category,
      pictureUrl,
      day: dayInWords(start.slice(0, 10), today),
    }))
}
