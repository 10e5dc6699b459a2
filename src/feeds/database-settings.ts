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
import { oneLine } from '../records/plain-text.ts'
import { resources } from '../records/resources.ts'
import { nearestName } from './nearest-name.ts'
import { wordsFrom } from './source-list.ts'

/** A feed made from a custom database, as defined in the settings. */
export type DatabaseSettings = DatabaseView & {
  /** The id appears in the feed's URLs. */
  readonly id: string
  /** Title of the feed. */
  readonly name: string
}

/** Names of combined feeds, pages and data endpoints, whose own feeds may be added later. */
const takenNames: readonly string[] = [
  'all',
  'my',
  'changes',
  'feeds',
  'agenda',
  'month',
  'next',
  'county',
  ...resources,
]

/** Maximum number of databases, each of which takes API calls. */
const maxDatabases = 20

const example = 'gear=2 title:{serial} {kind} date:retire'

const keys = ['title', 'date', 'fields', 'full', 'name'] as const

type Key = (typeof keys)[number]

/** Starts a part like `title:{serial}`. Text like `Hydrant: {number}` does not, because of its space. */
const partStart = /\s+(?=[a-z]+:\S)/i

/**
 * Returns a schema for database feeds separated by semicolons. `reservedNames` are more names that a feed
 * cannot have.
 */
export function databaseFeedsSchema(reservedNames: readonly string[]) {
  return z.string().transform((value, context): readonly DatabaseSettings[] => {
    const readings = value
      .split(/[;\n]/)
      .map((text) => text.trim())
      .filter((text) => text !== '')
      .map(readDatabase)
    const databases = readings.flatMap(({ database }) => database ?? [])
    const faults = [
      ...readings.flatMap((reading) => reading.faults),
      ...nameFaults(databases, reservedNames),
      ...(databases.length > maxDatabases ? [`must have at most ${maxDatabases} databases`] : []),
    ]
    for (const message of faults) context.addIssue({ code: 'custom', message })
    return databases
  })
}

type Reading = {
  readonly database?: DatabaseSettings
  /** Texts that continue a sentence whose subject is the setting. */
  readonly faults: readonly string[]
}

/** Returns true for a name that a feed can have, unless `reservedNames` contains it. */
function isFeedName(name: string, reservedNames: readonly string[] = []): boolean {
  return /^[a-z][a-z\d]{0,29}$/.test(name) && ![...takenNames, ...reservedNames].includes(name)
}

/** Reads the settings of a database, like `gear=2 title:{serial} {kind} date:retire`. */
function readDatabase(text: string): Reading {
  const [start = '', ...rest] = text.split(partStart)
  const [, id, number] = /^([a-z][a-z\d]{0,29})=([1-9]\d{0,14})$/.exec(start) ?? []
  if (id === undefined || number === undefined) {
    return { faults: [`must be like ${example}, not like ${start}`] }
  }
  const parts = rest.map(partFrom)
  const texts = new Map(parts.map(({ key, value }) => [key, value]))
  const title = texts.get('title') ?? ''
  const faults = [
    ...parts.flatMap(({ key }, index) => keyFault(key, parts.slice(0, index)) ?? []),
    ...titleFaults(title),
  ]
  const database: DatabaseSettings = {
    id,
    name: texts.get('name') ?? feedName(id),
    databaseId: Number(number),
    title,
    date: texts.get('date'),
    fields: namesIn(texts.get('fields')),
    fullFields: namesIn(texts.get('full')),
  }
  return { database, faults: faults.map((fault) => `${fault} in the feed ${id}`) }
}

/** Returns the title of a feed that has no other name. */
export function feedName(id: string): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}`
}

/** Returns the text in `DATABASE_FEEDS` for a database. */
export function settingFrom(database: DatabaseSettings): string {
  const { id, databaseId, title, date = '', fields, fullFields, name } = database
  const parts: readonly (readonly [Key, string])[] = [
    ['title', title],
    ['date', date],
    ['fields', fields.join(',')],
    ['full', fullFields.join(',')],
    ['name', name === feedName(id) ? '' : name],
  ]
  const given = parts.filter(([, text]) => text !== '')
  return [`${id}=${databaseId}`, ...given.map(([key, text]) => `${key}:${text}`)].join(' ')
}

type Part = { readonly key: string; readonly value: string }

function partFrom(text: string): Part {
  const [key = '', value = ''] = text.split(/:(.*)/s)
  return { key, value: value.trim() }
}

function keyFault(key: string, before: readonly Part[]): string | undefined {
  if (before.some((part) => part.key === key)) return `has more than one ${key}:`
  if (keys.includes(key as Key)) return undefined
  const nearest = nearestName(key, keys)
  const meant =
    nearest === undefined
      ? `the parts are ${keys.map((each) => `${each}:`).join(' ')}`
      : `did you mean ${nearest}:?`
  return `has an unknown part ${key}: (${meant})`
}

function titleFaults(title: string): readonly string[] {
  const rest = title.replaceAll(/\{[^{}]+\}/g, '')
  if (/[{}]/.test(rest)) return ['has a title with an unmatched brace']
  return fieldsInTitle(title).length === 0
    ? ['needs a title: with the name of a field in braces, like title:{serial},']
    : []
}

function namesIn(list = ''): readonly string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

function nameFaults(
  databases: readonly DatabaseSettings[],
  reservedNames: readonly string[],
): readonly string[] {
  return databases.flatMap(({ id, databaseId }, index) => {
    const before = databases.slice(0, index)
    return [
      ...(isFeedName(id, reservedNames)
        ? []
        : [`must not name a feed ${id}, because Feedhouse uses this name itself`]),
      ...(before.some((other) => other.id === id) ? [`has more than one feed ${id}`] : []),
      ...(before.some((other) => other.databaseId === databaseId)
        ? [`has more than one feed for the database ${databaseId}`]
        : []),
    ]
  })
}

/** Number of fields in the title of a suggested setting. */
const fieldsInSuggestion = 2

/** Names of fields that a setting can contain. */
const writable = /^[^\s{},:;]+$/

/**
 * Returns a sentence for each field in the settings that the database does not have, with the closest
 * one, if any.
 */
export function unknownFieldSentences(
  database: DatabaseSettings,
  known: readonly string[],
): readonly string[] {
  return fieldsOfView(database)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const nearest = nearestName(name, known)
      const advice =
        nearest === undefined ? `Its fields are ${wordsFrom(known)}.` : `Did you mean ${nearest}?`
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
 * Returns settings that make a feed from a database; undefined if its fields cannot be named. `takenNames`
 * are the names of other feeds.
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
            `${database.id}.ics leaves out ${count}, whose field ${database.date} does not contain a date like 2027-02-01. Correct them on the website.`,
          ]),
    ]
  })
}
