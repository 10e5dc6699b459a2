/** An item as feed readers see it. */
export type ReadItem = {
  readonly id: string
  readonly title: string
  readonly url: string
  /** In milliseconds since the epoch. */
  readonly date: number
}

export type ReadFeed = {
  /** In feed order. */
  readonly items: readonly ReadItem[]
  readonly lastModified: number
}

/** Models of readers, which find new items in different ways, and never change an item they have. */
const finders = {
  /** rss2email, liferea, Thunderbird, feed2exec. */
  'by id': () => {
    const known = new Set<string>()
    return ({ items }: ReadFeed) => items.filter(({ id }) => isNew(known, id))
  },
  /** rss-feed-emitter drops items with the link of another one. */
  'by link': () => {
    const known = new Set<string>()
    return ({ items }: ReadFeed) => items.filter(({ url }) => isNew(known, url))
  },
  /** newsboat with libcurl drops a feed that is not newer than its copy. */
  'by Last-Modified': () => {
    const find = finders['by id']()
    let latest = -Infinity
    return (feed: ReadFeed) => {
      // HTTP dates have no milliseconds.
      const date = Math.floor(feed.lastModified / 1000)
      if (date <= latest) return []
      latest = date
      return find(feed)
    }
  },
  /** n8n's trigger remembers only the latest date. */
  'by date': () => {
    let latest = -Infinity
    return ({ items }: ReadFeed) => {
      const found = items.filter(({ date }) => date > latest)
      if (items.length > 0) latest = Math.max(...items.map(({ date }) => date))
      return found
    }
  },
  /** feedsub stops at the first known item if the dates of the first two items fall. */
  'by position': () => {
    const known = new Set<string>()
    return ({ items }: ReadFeed) => {
      const [first, second] = items
      const isSorted = first !== undefined && second !== undefined && first.date > second.date
      const end = items.findIndex(({ id, date }) => isSorted && known.has(`${id} ${date}`))
      const read = end === -1 ? items : items.slice(0, end)
      return read.filter(({ id, date }) => isNew(known, `${id} ${date}`))
    }
  },
}

function isNew(known: Set<string>, key: string): boolean {
  if (known.has(key)) return false
  known.add(key)
  return true
}

export type ReaderKind = keyof typeof finders

export const readerKinds = Object.keys(finders) as readonly ReaderKind[]

/** Creates a reader that keeps the first text of each item that it has found. */
export function createFeedReader(kind: ReaderKind) {
  const find = finders[kind]()
  const items = new Map<string, ReadItem>()
  return {
    kind,
    items,
    poll(feed: ReadFeed): void {
      for (const item of find(feed)) if (!items.has(item.id)) items.set(item.id, item)
    },
  }
}
