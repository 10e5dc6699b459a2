/** What a board can show; each is the id of the feed that it is of. */
export const boardKinds = [
  'events',
  'calendar',
  'rental',
  'signup',
  'announcements',
  'news',
] as const

export type BoardKind = (typeof boardKinds)[number]

/**
 * One thing that a board shows. It is flat, so that players can take it as a row of a table; texts are
 * plain, times are wall-clock times of the site.
 */
export type BoardItem = {
  /** The same for ever. */
  readonly id: string
  readonly kind: BoardKind
  readonly title: string
  readonly text: string
  /** When it is, or was published, for people. */
  readonly when: string
  /** A date for what is all-day, else a date and time; of what was written: when. */
  readonly start: string
  /** When it is over or expires, exclusive; null for what is over with its day, or stays. */
  readonly end: string | null
  readonly allDay: boolean
  readonly location: string
  readonly category: string
  /** How many places are open, and how many there are, where people sign up. */
  readonly open: number | null
  readonly places: number | null
  /** Address of the first picture at the website. */
  readonly pictureUrl: string | null
  readonly pictureType: string | null
  readonly pictureWidth: number | null
  readonly pictureHeight: number | null
}

const maxTextLength = 400

/** Most of what an item of one kind has none of. */
export function boardItem(
  item: Pick<BoardItem, 'id' | 'kind' | 'title' | 'when' | 'start' | 'end'> & Partial<BoardItem>,
): BoardItem {
  const { id, kind, title, when, start, end } = item
  return {
    ...{ id, kind, title, text: '', when, start, end },
    ...{ allDay: false, location: '', category: '', open: null, places: null },
    ...{ pictureUrl: null, pictureType: null, pictureWidth: null, pictureHeight: null },
    ...item,
    text: shortened(item.text ?? ''),
  }
}

/** Cut at a word. */
function shortened(text: string): string {
  if (text.length <= maxTextLength) return text
  const cut = text.slice(0, maxTextLength)
  const space = cut.search(/\s\S*$/)
  return `${(space > maxTextLength / 2 ? cut.slice(0, space) : cut).replace(/\p{Surrogate}$/u, '')}…`
}
