import type { BoardItem } from './board-item.ts'

const secondsPerText = 12
const secondsPerPicture = 15

/** An item in a Concerto remote feed. Concerto identifies it by `type` and `name`. */
export type ConcertoContent = {
  readonly name: string
  readonly duration: number
  readonly end_time?: string
} & (
  | { readonly type: 'RichText'; readonly text: string; readonly render_as: 'plaintext' }
  | { readonly type: 'Graphic'; readonly url: string }
)

/** Converts a board's items to Concerto text items, and their pictures to separate graphics. */
export function concertoContents(
  items: readonly BoardItem[],
  instantOf: (siteTime: string) => string,
): readonly ConcertoContent[] {
  return items.flatMap((item): readonly ConcertoContent[] => {
    const { id, title, when, location, text, end, endAt, pictureUrl } = item
    const endTime = endAt === null ? end && instantOf(end) : new Date(endAt).toISOString()
    const ends = endTime === null ? {} : { end_time: endTime }
    const words = [title, [when, location].filter((part) => part !== '').join(', '), text]
    const content: ConcertoContent = {
      type: 'RichText',
      name: id,
      text: words.filter((part) => part !== '').join('\n'),
      render_as: 'plaintext',
      duration: secondsPerText,
      ...ends,
    }
    if (pictureUrl === null) return [content]
    const picture = { name: id, url: pictureUrl, duration: secondsPerPicture, ...ends }
    return [content, { type: 'Graphic', ...picture }]
  })
}
