import {
  databaseTime,
  fieldsOfView,
  hasInvalidDate,
  isDateField,
  type DatabaseSample,
} from '../records/custom-database.ts'
import { oneLine } from '../records/plain-text.ts'
import { feedName, isFeedName, type DatabaseSettings } from './database-settings.ts'
import { nearestName } from './nearest-name.ts'
import { wordsFrom } from './source-list.ts'

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
