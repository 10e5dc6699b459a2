import { createHash } from 'node:crypto'

/** A calendar object resource (RFC 4791 4.1) or a contact, as a file. */
export type DavItem = {
  /** Name of the file, unique within the collection. */
  readonly name: string
  /** Strong entity tag with quotation marks. The same content always has the same one. */
  readonly etag: string
  readonly body: string
}

/** Calendar properties that each file repeats. The others describe the whole calendar. */
const shared = /^(?:VERSION|PRODID|CALSCALE)[:;]/

const lineEnd = '\r\n'

/** Splits a rendered calendar into a file for each entry. Folded lines stay as they are. */
export function itemsOfCalendar(calendar: string): readonly DavItem[] {
  const lines = calendar.split(lineEnd)
  const header = lines
    .slice(0, lines.indexOf('BEGIN:VTIMEZONE'))
    .filter((line) => shared.test(line))
  const zones = blocksOf(lines, 'VTIMEZONE')
  return blocksOf(lines, 'VEVENT').map((entry) => {
    const usesZone = entry.some((line) => /^(?:DTSTART|DTEND)[^:]*;TZID=/.test(line))
    const content = [
      'BEGIN:VCALENDAR',
      ...header,
      ...(usesZone ? zones.flat() : []),
      ...entry,
      'END:VCALENDAR',
      '',
    ]
    return itemOf(`${nameOf(entry)}.ics`, content.join(lineEnd))
  })
}

export function itemOf(name: string, body: string): DavItem {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  return { name, etag: `"${hash}"`, body }
}

/** Returns the parts of a calendar from `BEGIN` to `END`, as lists of lines. */
function blocksOf(lines: readonly string[], component: string): readonly (readonly string[])[] {
  const [begin, end] = [`BEGIN:${component}`, `END:${component}`]
  const blocks: string[][] = []
  let block: string[] | undefined
  for (const line of lines) {
    if (line === begin) block = []
    block?.push(line)
    if (line !== end || !block) continue
    blocks.push(block)
    block = undefined
  }
  return blocks
}

/** Returns the entry's id without the host, which is the same for all entries. */
function nameOf(entry: readonly string[]): string {
  const uid = entry.find((line) => line.startsWith('UID:'))?.slice('UID:'.length) ?? ''
  return uid.replace(/@.*$/, '').replaceAll(/[^\w.-]/g, '_')
}
