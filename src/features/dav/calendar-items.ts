import { createHash } from 'node:crypto'

/** A calendar object resource (RFC 4791 4.1) or a contact, as a file. */
export type DavItem = {
  /** Name of the file, unique within the collection. */
  readonly name: string
  /** Strong entity tag with quotation marks. The same content always has the same one. */
  readonly etag: string
  readonly body: () => string
}

/** Calendar properties that each file repeats. The others describe the whole calendar. */
const shared = /^(?:VERSION|PRODID|CALSCALE)[:;]/

const lineEnd = '\r\n'

/**
 * Splits a rendered calendar into a file for each entry. Folded lines stay folded. Keeps only
 * the position of each entry, because most calendars are compressed in memory.
 */
export function itemsOfCalendar(calendar: { readonly bytes: Buffer }): readonly DavItem[] {
  const { bytes } = calendar
  const [first = bytes.length] = placesOf('VEVENT', bytes)[0] ?? []
  const head = bytes.subarray(0, first)
  const zones = placesOf('VTIMEZONE', head).map((place) => head.toString('utf8', ...place))
  const properties = head.toString().split(lineEnd)
  const header = properties.filter((line) => shared.test(line)).map((line) => `${line}${lineEnd}`)

  const fileOf = (entry: string) => {
    const usesZone = /^(?:DTSTART|DTEND);.*?TZID=/m.test(entry)
    const parts = [...header, ...(usesZone ? zones : []), entry]
    return `BEGIN:VCALENDAR${lineEnd}${parts.join('')}END:VCALENDAR${lineEnd}`
  }
  return placesOf('VEVENT', bytes).map((place) => {
    const entry = bytes.toString('utf8', ...place)
    const file = () => fileOf(calendar.bytes.toString('utf8', ...place))
    return itemOf(`${nameOf(entry)}.ics`, fileOf(entry), file)
  })
}

export function itemOf(name: string, body: string, read = () => body): DavItem {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  return { name, etag: `"${hash}"`, body: read }
}

/** Returns the start and end of each component of a kind in a calendar, in bytes. */
function placesOf(
  component: string,
  bytes: Buffer,
): readonly (readonly [start: number, end: number])[] {
  const begin = `${lineEnd}BEGIN:${component}${lineEnd}`
  const end = `${lineEnd}END:${component}${lineEnd}`
  const places: [number, number][] = []
  for (let at = 0; ;) {
    const start = bytes.indexOf(begin, at)
    const last = start === -1 ? -1 : bytes.indexOf(end, start)
    if (last === -1) return places
    // The line end after this component is also the one before the next component.
    at = last + end.length - lineEnd.length
    places.push([start + lineEnd.length, at + lineEnd.length])
  }
}

/** Returns the entry's id without the host, which is the same for all entries. */
function nameOf(entry: string): string {
  const [, uid = ''] = /^UID:([^@\r]*)/m.exec(entry) ?? []
  return uid.replaceAll(/[^\w.-]/g, '_')
}
