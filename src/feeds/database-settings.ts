import { z } from 'zod'
import {
  databaseTime,
  fieldsInTitle,
  fieldsOfView,
  hasInvalidDate,
  isDateField,
  type DatabaseSample,
  type DatabaseView,
} from '../records/custom-database.ts'
import { oneLine } from '../text/plain-text.ts'
import { resources } from '../records/resources.ts'
import { listInWords } from '../text/text.ts'
import { nearestName } from './nearest-name.ts'

/** A feed made from a custom database, as defined in the settings. */
export type DatabaseSettings = DatabaseView & {
  /** The id appears in the feed's URLs. */
  readonly id: string
  /** Title of the feed. */
  readonly name: string
}

/** Names of combined feeds and pages, and of feeds that may be added later. */
const pageNames =
  'all my changes digest feeds follow account agenda month next search county published'.split(' ')

/** Maximum number of databases, each of which takes API calls. */
const maxDatabases = 20

const example = 'gear=2 title:{serial} {kind} date:retire'

const keys: readonly string[] = ['title', 'date', 'fields', 'full', 'name']

/**
 * Starts a part like `title:{serial}`. Text like `Hydrant: {number}` does not, because of the
 * space.
 */
const partStart = /\s(?=[a-z]+:\S)/i

/** Returns a schema for database feeds separated by semicolons, whose names are not reserved. */
export function databaseFeedsSchema(reservedNames: readonly string[]) {
  return z.string().transform((value, context): readonly DatabaseSettings[] => {
    const report: Report = (message) => context.addIssue({ code: 'custom', message })
    const databases = listIn(value, /[;\n]/).flatMap((text) => readDatabase(text, report) ?? [])
    for (const [index, { id, databaseId }] of databases.slice(0, maxDatabases).entries()) {
      const before = databases.slice(0, index)
      if (!isFeedName(id, reservedNames)) {
        report(
          `cannot have a feed named “${id}”, which is a name in Feedhouse’s own URLs; choose another`,
        )
      }
      if (before.some((other) => other.id === id)) report(`has more than one feed ${id}`)
      if (before.some((other) => other.databaseId === databaseId)) {
        report(`has more than one feed for the database ${databaseId}`)
      }
    }
    if (databases.length > maxDatabases) report(`must have at most ${maxDatabases} databases`)
    return databases
  })
}

/** Reports an error with a text that continues a sentence whose subject is the setting. */
type Report = (fault: string) => void

/** Returns true for a name that a feed can have, unless `reservedNames` contains it. */
function isFeedName(name: string, reservedNames: readonly string[] = []): boolean {
  const taken: readonly string[] = [...pageNames, ...resources, ...reservedNames]
  return /^[a-z][a-z\d]{0,29}$/.test(name) && !taken.includes(name)
}

/** Reads the settings of a database, like `gear=2 title:{serial} {kind} date:retire`. */
function readDatabase(text: string, report: Report): DatabaseSettings | undefined {
  const [start = '', ...rest] = text.split(partStart).map((part) => part.trim())
  const [, id, number] = /^([a-z][a-z\d]{0,29})=([1-9]\d{0,14})$/.exec(start) ?? []
  if (id === undefined || number === undefined) {
    report(`must be like ${example}, not like ${start}`)
    return undefined
  }
  const reportIn: Report = (fault) => report(`${fault} in the feed ${id}`)
  const parts = new Map<string, string>()
  for (const part of rest) {
    const [key = '', value = ''] = part.split(/:(.*)/s)
    if (parts.has(key)) reportIn(`has more than one ${key}:`)
    else if (!keys.includes(key)) reportIn(`has an unknown part ${key}: (${adviceFor(key)})`)
    parts.set(key, value)
  }
  const title = parts.get('title') ?? ''
  if (/[{}]/.test(title.replaceAll(/\{[^{}]+\}/g, ''))) {
    reportIn('has a title with an unmatched brace')
  } else if (fieldsInTitle(title).length === 0) {
    reportIn('needs a title: with the name of a field in braces, like title:{serial},')
  }
  return {
    id,
    name: parts.get('name') ?? feedName(id),
    databaseId: Number(number),
    title,
    date: parts.get('date'),
    fields: listIn(parts.get('fields') ?? '', ','),
    fullFields: listIn(parts.get('full') ?? '', ','),
  }
}

function adviceFor(key: string): string {
  const nearest = nearestName(key, keys)
  return nearest === undefined
    ? `the parts are ${keys.map((each) => `${each}:`).join(' ')}`
    : `did you mean ${nearest}:?`
}

function listIn(text: string, separator: string | RegExp): readonly string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Returns the title of a feed that has no other name. */
export function feedName(id: string): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}`
}

/** Returns the text in `DATABASE_FEEDS` for a database. */
export function settingFrom(database: DatabaseSettings): string {
  const { id, databaseId, title, date = '', fields, fullFields, name } = database
  const parts: readonly (readonly [key: string, text: string])[] = [
    ['title', title],
    ['date', date],
    ['fields', fields.join(',')],
    ['full', fullFields.join(',')],
    ['name', name === feedName(id) ? '' : name],
  ]
  const given = parts.filter(([, text]) => text !== '')
  return [`${id}=${databaseId}`, ...given.map(([key, text]) => `${key}:${text}`)].join(' ')
}

const fieldsInSuggestion = 2

/** Names of fields that a setting can contain. */
const writable = /^[^\s{},:;]+$/

/** Returns a sentence for each field that the database does not have, with the closest one. */
export function unknownFieldSentences(
  database: DatabaseSettings,
  known: readonly string[],
): readonly string[] {
  return fieldsOfView(database)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const nearest = nearestName(name, known)
      const advice =
        nearest === undefined ? `Its fields are ${listInWords(known)}.` : `Did you mean ${nearest}?`
      return `DATABASE_FEEDS names the field ${name} in the feed ${database.id}, but the database ${database.databaseId} does not have it. ${advice}`
    })
}

/** Returns a sentence if the field for dates has values in these records, but no dates. */
export function dateSentences(
  database: DatabaseSettings,
  { records }: DatabaseSample,
): readonly string[] {
  const { id, date } = database
  const isWrong =
    records.some((record) => hasInvalidDate(record, database)) &&
    records.every((record) => databaseTime(record, database) === undefined)
  return isWrong
    ? [`The field ${date} in the feed ${id} has no dates like 2027-02-01, so ${id}.ics is empty.`]
    : []
}

/**
 * Returns suggested settings for a database feed, or undefined if the fields cannot be named in a
 * setting. `takenNames` are the names of other feeds.
 */
export function suggestedDatabase(
  { id, title, fields, records }: DatabaseSample,
  takenNames: readonly string[] = [],
): DatabaseSettings | undefined {
  const names = fields
    .toSorted((a, b) => Number(b.primary) - Number(a.primary))
    .map(({ name }) => name)
    .filter((name) => writable.test(name))
  const date = names.find((name) => isDateField(records, name))
  const shown = names.filter((name) => name !== date).slice(0, fieldsInSuggestion)
  if (shown.length === 0) return undefined
  const name = oneLine(title)
    .replaceAll(/[:;#$"'`\\\s]+/g, ' ')
    .trim()
  const short = name
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '')
    .slice(0, 30)
  const isUsable = isFeedName(short) && !takenNames.includes(short)
  const feedId = isUsable ? short : `database${id}`
  return {
    id: feedId,
    databaseId: id,
    title: shown.map((each) => `{${each}}`).join(' '),
    date,
    fields: [],
    fullFields: [],
    name: name === '' ? feedName(feedId) : name,
  }
}

/** Returns sentences about databases whose records do not fit the settings. They contain no values. */
export function databaseSentences(
  databases: readonly DatabaseSettings[],
  recordsOf: (database: DatabaseSettings) => DatabaseSample['records'] | undefined,
): readonly string[] {
  return databases.flatMap((database) => {
    const records = recordsOf(database) ?? []
    const [first] = records
    if (!first) return []
    const invalid = records.filter((record) => hasInvalidDate(record, database)).length
    const count = invalid === 1 ? '1 record' : `${invalid} records`
    return [
      ...unknownFieldSentences(
        database,
        first.fields.map(({ name }) => name),
      ),
      ...(invalid === 0
        ? []
        : [
            `${database.id}.ics omits ${count}, whose field ${database.date} does not contain a date like 2027-02-01. Correct them on the website.`,
          ]),
    ]
  })
}
