import type { Finding } from '../check/site-check.ts'
import { reservedNames } from '../config/setting-values.ts'
import {
  dateSentences,
  suggestedDatabase,
  unknownFieldSentences,
} from '../feeds/database-advice.ts'
import { settingFrom, type DatabaseSettings } from '../feeds/database-settings.ts'
import { wordsFrom } from '../feeds/source-list.ts'
import type { DatabaseSample } from '../records/custom-database.ts'
import { adviceFor } from '../upstream/advice.ts'
import { listDatabases, readDatabaseSample, type DataService } from '../upstream/data-service.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'

/** Maximum number of databases to read that no feed shows. */
const maxListed = 20

/** Longest title that a sentence repeats. */
const maxTitleLength = 60

const check = 'DATABASE_FEEDS'

/**
 * Compares the databases in the settings with those of the website. With `all`, also reports the others,
 * each with a setting that would work.
 */
export async function* databaseFindings(
  dataService: DataService,
  configured: readonly DatabaseSettings[],
  { all }: { readonly all: boolean },
): AsyncGenerator<Finding> {
  try {
    const listed = await listDatabases(dataService)
    for (const { id, databaseId } of configured) {
      if (listed.some((database) => database.id === databaseId)) continue
      yield {
        check,
        ok: false,
        sentence: `DATABASE_FEEDS names the database ${databaseId} in the feed ${id}, but the website ${numbersOf(listed)}.`,
      }
    }
    const others = all ? listed.filter(({ id }) => !isConfigured(id)) : []
    const read = [...listed.filter(({ id }) => isConfigured(id)), ...others.slice(0, maxListed)]
    for (const database of read) {
      yield* findingsAbout(await readDatabaseSample(dataService, database), configured)
    }
    if (others.length > maxListed) {
      const sentence = `The website has ${others.length - maxListed} more databases.`
      yield { check, ok: true, sentence }
    }
    if (all && listed.length === 0) {
      yield { check, ok: true, sentence: 'The website has no custom databases.' }
    }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    const { kind: code, message } = error
    const sentence = `The custom databases cannot be read (${message}). ${adviceFor(error)}`
    yield { check, ok: false, sentence, code }
  }

  function isConfigured(id: number): boolean {
    return configured.some(({ databaseId }) => databaseId === id)
  }
}

function* findingsAbout(
  sample: DatabaseSample,
  configured: readonly DatabaseSettings[],
): Generator<Finding> {
  const { id, title, recordCount } = sample
  const names = sample.fields.map(({ name }) => name)
  const records = recordCount === 1 ? '1 record' : `${recordCount} records`
  const fields = names.length === 0 ? 'no fields' : `the fields ${wordsFrom(names)}`
  const about = `Database ${id}, “${title.slice(0, maxTitleLength).toWellFormed()}”, has ${records} with ${fields}`
  const database = configured.find(({ databaseId }) => databaseId === id)
  if (!database) {
    const taken = [...reservedNames, ...configured.map((each) => each.id)]
    const suggested = suggestedDatabase(sample, taken)
    const advice = suggested
      ? ` A setting that would work: DATABASE_FEEDS=${settingFrom(suggested)}`
      : ''
    return yield { check, ok: true, sentence: `${about}.${advice}` }
  }
  const faults = [...unknownFieldSentences(database, names), ...dateSentences(database, sample)]
  if (faults.length === 0) {
    return yield { check, ok: true, sentence: `${about}. The feed ${database.id} shows it.` }
  }
  for (const sentence of faults) yield { check, ok: false, sentence }
}

function numbersOf(listed: readonly { readonly id: number }[]): string {
  if (listed.length === 0) return 'has no custom databases'
  return `has only ${wordsFrom(listed.map(({ id }) => String(id)))}`
}
