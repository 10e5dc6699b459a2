import { SaxesParser } from 'saxes'
import { z } from 'zod'
import { endpointOf, type FeedResource } from '../../src/records/resources.ts'
import { datasetFrom, resources } from '../../src/sandbox/resources/resources.ts'
import { itemsOf } from './feed-text.ts'

/** Values for the fields that cannot contain a mark. The record is in March 2026. */
const fixed: Readonly<Record<string, unknown>> = {
  status: 2,
  deployed: 1,
  date: '2026-03-05',
  meetingDate: '2026-03-05',
  startDate: '2026-03-06',
  endDate: '2026-03-06',
  startTime: '19:00:00',
  endTime: '21:00:00',
  expires: '2026-04-01 12:00:00',
}

/**
 * Returns the mark for a field. Marks are plain words, so that URLs, codes and file names do not
 * change them. The name distinguishes the marks of several records.
 */
export function markOf(path: string, name = ''): string {
  return `zq${name}${path.replaceAll('.', '_')}zq`
}

/**
 * Creates a record in which every text field contains its own mark, with this name. Returns it as the
 * website has it, and the item as stored.
 */
export function markedRecord(resource: FeedResource, name = '') {
  /** All fields, including nested ones like `images.caption`. */
  const fields: string[] = []
  /** Fields that contain their mark. */
  const marked: string[] = []

  function valueOf(schema: z.ZodType, path: string): unknown {
    if (schema instanceof z.ZodDefault) return valueOf(schema.unwrap() as z.ZodType, path)
    if (schema instanceof z.ZodArray) return [valueOf(schema.element as z.ZodType, path)]
    if (schema instanceof z.ZodObject) {
      const prefix = path === '' ? '' : `${path}.`
      return Object.fromEntries(
        Object.entries<z.ZodType>(schema.shape).map(([name, field]) => [
          name,
          valueOf(field, `${prefix}${name}`),
        ]),
      )
    }
    fields.push(path)
    const text = textWith(markOf(path, name), path)
    if (schema.safeParse(text).success) {
      marked.push(path)
      return text
    }
    const property = path.slice(path.lastIndexOf('.') + 1)
    // In the forum, 1 means Online.
    const wanted = resource === 'discuss' && property === 'status' ? 1 : fixed[property]
    const known = [wanted, '2026-03-01 10:00:00', '2026-04-01', 1].find(
      (value) => value !== undefined && schema.safeParse(value).success,
    )
    if (known === undefined) throw new TypeError(`no value for ${resource}.${path}`)
    return known
  }

  const endpoint = endpointOf(resource)
  const [, list] = resource.split('/')
  const record = valueOf(recordSchemaOf(resource), '') as object
  const stored = list === undefined ? record : { ...record, type: list }
  const [item] = itemsOf(datasetFrom({ [endpoint]: [stored] }), resource)
  return { record: stored, item, fields, marked }
}

/** Returns true for fields that the website returns. */
const isSent = ([name]: readonly [string, unknown]) => !['type', 'restrictedTo'].includes(name)

/** Returns the schema of the records in a list, as the website returns them. */
function recordSchemaOf(resource: FeedResource): z.ZodType {
  const [, list] = resource.split('/')
  const schema: z.ZodType = resources[endpointOf(resource)].record
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return schema
  const kinds = schema.options as readonly z.ZodObject[]
  const kind = kinds.find(({ shape }) => shape['type']?.safeParse(list).success)
  return kind ? z.object(Object.fromEntries(Object.entries(kind.shape).filter(isSent))) : schema
}

function textWith(mark: string, path: string): string {
  if (path.endsWith('.url')) return `https://cedarhollow.example/${mark}.png`
  if (path === 'videos.embedCode') {
    return `<iframe src="https://player.vimeo.com/video/1?h=${mark}"></iframe>`
  }
  return mark
}

/** Returns the properties or elements in a format that contain a mark, in any case. */
export function placesOf(exactMark: string, format: string, text: string): ReadonlySet<string> {
  const mark = exactMark.toLowerCase()
  if (format === 'ics') return new Set(iCalendarPlaces(mark, text))
  return new Set(format === 'json' ? jsonPlaces(mark, text) : xmlPlaces(mark, text))
}

function iCalendarPlaces(mark: string, text: string): readonly string[] {
  const [, ...events] = text.replaceAll('\r\n ', '').split('BEGIN:VEVENT')
  const lines = events.flatMap((event) => event.split('\r\n'))
  return lines.flatMap((line) =>
    line.toLowerCase().includes(mark) ? [line.split(/[:;]/, 1)[0] ?? ''] : [],
  )
}

function jsonPlaces(mark: string, text: string): readonly string[] {
  const { items }: { readonly items: readonly object[] } = JSON.parse(text)
  return items.flatMap((item) =>
    Object.entries(item).flatMap(([name, value]) =>
      JSON.stringify(value).toLowerCase().includes(mark) ? [name] : [],
    ),
  )
}

/** Returns the RSS or Atom elements that contain a mark, or the parent of an element called `name`. */
function xmlPlaces(mark: string, text: string): readonly string[] {
  const places: string[] = []
  const open: string[] = []
  const parser = new SaxesParser()
  const note = (value: string) => {
    const [outer = '', inner = ''] = open.slice(-2)
    if (value.toLowerCase().includes(mark)) places.push(inner === 'name' ? outer : inner)
  }
  parser.on('opentag', ({ name, attributes }) => {
    open.push(name)
    for (const value of Object.values(attributes)) note(value)
  })
  parser.on('text', note)
  parser.on('cdata', note)
  parser.on('closetag', () => void open.pop())
  parser.write(text).close()
  return places
}
