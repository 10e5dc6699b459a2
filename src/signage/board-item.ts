/**
 * How boards show the items of a feed: by day on the agenda; on a card each as an announcement or a
 * story; or on cards with today's bookings, or with calls for volunteers.
 */
export type BoardRole = 'agenda' | 'announcement' | 'story' | 'bookings' | 'volunteers'

/**
 * One item on a board. It is flat, so that players can treat it as a table row; texts are plain, and
 * times are wall-clock times of the site.
 */
export type BoardItem = {
  /** Permanent. */
  readonly id: string
  /** Id of its feed. */
  readonly kind: string
  readonly role: BoardRole
  readonly title: string
  readonly text: string
  /** Time of the item, or of its publication, as text. */
  readonly when: string
  /** A date for all-day items, otherwise a date and time; publication time for news and announcements. */
  readonly start: string
  /** Exclusive end or expiry; null for items that end with their day or never. */
  readonly end: string | null
  readonly allDay: boolean
  readonly location: string
  readonly category: string
  /** Open places and all places, where people can sign up. */
  readonly open: number | null
  readonly places: number | null
  /** URL of the first picture on the website. */
  readonly pictureUrl: string | null
  readonly pictureType: string | null
  readonly pictureWidth: number | null
  readonly pictureHeight: number | null
}

const maxTextLength = 400

/** Creates an item; properties that a kind lacks get empty values. */
export function boardItem(
  item: Pick<BoardItem, 'id' | 'kind' | 'role' | 'title' | 'when' | 'start' | 'end'> &
    Partial<BoardItem>,
): BoardItem {
  return {
    id: item.id,
    kind: item.kind,
    title: item.title,
    text: shortened(item.text ?? ''),
    when: item.when,
    start: item.start,
    end: item.end,
    allDay: item.allDay ?? false,
    location: item.location ?? '',
    category: item.category ?? '',
    open: item.open ?? null,
    places: item.places ?? null,
    pictureUrl: item.pictureUrl ?? null,
    pictureType: item.pictureType ?? null,
    pictureWidth: item.pictureWidth ?? null,
    pictureHeight: item.pictureHeight ?? null,
    role: item.role,
  }
}

/** Cuts at a word. */
function shortened(text: string): string {
  if (text.length <= maxTextLength) return text
  const cut = text.slice(0, maxTextLength)
  const space = cut.search(/\s\S*$/)
  return `${(space > maxTextLength / 2 ? cut.slice(0, space) : cut).replace(/\p{Surrogate}$/u, '')}…`
}
