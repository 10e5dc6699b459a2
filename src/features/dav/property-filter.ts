import { childOf, is, namespaces, type Element } from './xml.ts'

const { A } = namespaces

/** Maximum number of elements in a filter, because each is compared with every entry. */
const maxElements = 30

/** An entry of a calendar, or a contact. */
export type Entry = {
  /** Unescaped values by name, without the properties of reminders. */
  readonly properties: ReadonlyMap<string, readonly string[]>
  /** Time zone of its start and end, if they have one. */
  readonly timeZone: string | undefined
  readonly hasAlarm: boolean
}

export type EntryFilter = (entry: Entry) => boolean

export function entryIn(body: string): Entry {
  const properties = new Map<string, string[]>()
  let timeZone: string | undefined
  const lines = body.replaceAll('\r\n ', '').split('\r\n')
  const start = lines.findIndex((line) => line === 'BEGIN:VEVENT' || line === 'BEGIN:VCARD')
  const alarm = lines.indexOf('BEGIN:VALARM')
  for (const line of lines.slice(start + 1, alarm === -1 ? -1 : alarm)) {
    const [, name = '', parameters = '', value = ''] =
      /^([^:;]*)((?:;(?:"[^"]*"|[^":])*)?):(.*)$/.exec(line) ?? []
    timeZone ??= /;TZID=([^;]+)/.exec(parameters)?.[1]
    const values = properties.get(name) ?? []
    properties.set(name, [...values, value.replaceAll(/\\([\\;,])/g, '$1')])
  }
  return { properties, timeZone, hasAlarm: alarm !== -1 }
}

export const nameOf = ({ attributes }: Element) => attributes.get('name')?.toUpperCase() ?? ''

/** Combines conditions. Returns undefined if any is invalid or not supported. */
export function combined(
  conditions: readonly (EntryFilter | undefined)[],
  isEnough: 'all' | 'any' = 'all',
): EntryFilter | undefined {
  const known = conditions.filter((condition) => condition !== undefined)
  if (known.length < conditions.length) return undefined
  return isEnough === 'all'
    ? (entry) => known.every((isMatch) => isMatch(entry))
    : (entry) => known.some((isMatch) => isMatch(entry))
}

export function isTooLong(filter: Element): boolean {
  const countIn = ({ children }: Element): number =>
    children.reduce((count, child) => count + countIn(child), 1)
  return countIn(filter) > maxElements
}

/** Reads an addressbook-query (RFC 6352 10.5). Returns undefined if invalid or not supported. */
export function contactFilterIn(query: Element): EntryFilter | undefined {
  const filter = childOf(query, A, 'filter')
  if (!filter || filter.children.length === 0) return () => true
  if (isTooLong(filter)) return undefined
  const conditions = filter.children.map((child) =>
    is(child, A, 'prop-filter') ? propertyFilter(child, A) : undefined,
  )
  return combined(conditions, testOf(filter))
}

const testOf = ({ attributes }: Element) => (attributes.get('test') === 'allof' ? 'all' : 'any')

/** Reads a filter by the text of a property (RFC 4791 9.7.2, RFC 6352 10.5.1). */
export function propertyFilter(filter: Element, ns: string): EntryFilter | undefined {
  const name = nameOf(filter)
  const valuesIn = ({ properties }: Entry) => properties.get(name) ?? []
  if (childOf(filter, ns, 'is-not-defined')) return (entry) => valuesIn(entry).length === 0
  if (filter.children.length === 0) return (entry) => valuesIn(entry).length > 0
  const conditions = filter.children.map((child): EntryFilter | undefined => {
    const isMatch = is(child, ns, 'text-match') ? textMatch(child) : undefined
    return isMatch && ((entry) => valuesIn(entry).some(isMatch))
  })
  return combined(conditions, ns === A ? testOf(filter) : 'all')
}

const comparisons = new Map([
  ['contains', (value: string, text: string) => value.includes(text)],
  ['equals', (value: string, text: string) => value === text],
  ['starts-with', (value: string, text: string) => value.startsWith(text)],
  ['ends-with', (value: string, text: string) => value.endsWith(text)],
])

function textMatch({ text, attributes }: Element): ((value: string) => boolean) | undefined {
  const isExact = attributes.get('collation') === 'i;octet'
  const folded = (value: string) => (isExact ? value : value.toLowerCase())
  const searched = folded(text)
  const isNegated = attributes.get('negate-condition') === 'yes'
  const compare = comparisons.get(attributes.get('match-type') ?? 'contains')
  return compare && ((value) => compare(folded(value), searched) !== isNegated)
}
