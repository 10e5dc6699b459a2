/** An entry of a feed, as far as subscribers compare it with the one that they have. */
export type Entry = {
  readonly id: string
  readonly title: string
  /** `SEQUENCE`; 0 in feeds without it. */
  readonly sequence: number
  /** Milliseconds since the epoch; 0 if unknown. */
  readonly modifiedAt: number
  /** `DTSTART` with its parameters, or an empty string. */
  readonly start: string
}

/** Reads the entries of a feed in the format of the URL's ending. */
export function entriesIn(text: string, path: string): readonly Entry[] {
  if (path.endsWith('.ics')) return eventsIn(text)
  return path.endsWith('.json') ? jsonItemsIn(text) : atomEntriesIn(text)
}

function eventsIn(text: string): readonly Entry[] {
  const blocks = text.replaceAll(/\r\n[ \t]/g, '').match(/BEGIN:VEVENT.*?END:VEVENT/gs) ?? []
  return blocks.map((block) => {
    const value = (name: string) => new RegExp(`^${name}[:;](.*)\r$`, 'm').exec(block)?.[1] ?? ''
    return {
      id: value('UID'),
      title: value('SUMMARY'),
      sequence: Number(value('SEQUENCE')),
      modifiedAt: instantFrom(value('LAST-MODIFIED')),
      start: value('DTSTART'),
    }
  })
}

/** Reads a UTC time like `20261005T040000Z`. */
export function instantFrom(text: string): number {
  const iso = text.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5')
  return iso === '' ? 0 : Date.parse(iso)
}

function jsonItemsIn(text: string): readonly Entry[] {
  const { items } = JSON.parse(text) as {
    readonly items: readonly { id: string; title?: string; date_modified?: string }[]
  }
  return items.map(({ id, title = '', date_modified: modified = '' }) => ({
    id,
    title,
    sequence: 0,
    modifiedAt: modified === '' ? 0 : Date.parse(modified),
    start: '',
  }))
}

function atomEntriesIn(text: string): readonly Entry[] {
  return (text.match(/<entry>.*?<\/entry>/gs) ?? []).map((block) => {
    const value = (name: string) =>
      new RegExp(`<${name}[^>]*>(.*?)</${name}>`, 's').exec(block)?.[1] ?? ''
    return {
      id: value('id'),
      title: value('title'),
      sequence: 0,
      modifiedAt: Date.parse(value('updated')),
      start: '',
    }
  })
}
