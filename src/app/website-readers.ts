import { LRUCache } from 'lru-cache'
import type { TimeSource } from '../clock.ts'
import { knownPart } from '../records/known-part.ts'
import { readRecords } from '../records/read-records.ts'
import type { DatabaseReader, DatabaseReading, RosterReader } from '../site/admin-actions.ts'
import { adviceFor } from '../upstream/advice.ts'
import {
  listDatabases,
  readDatabaseSample,
  type DataService,
  type PageReader,
} from '../upstream/data-service.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'

/** The form reads the same database again on every edit. */
const databasesKeptMs = 10 * 60_000

const maxDatabasesKept = 20

/** Creates a reader of databases, which are cached for a few minutes. */
export function createDatabaseReader(dataService: PageReader, clock: TimeSource): DatabaseReader {
  const kept = new LRUCache<string, object>({
    max: maxDatabasesKept,
    ttl: databasesKeptMs,
    ttlResolution: 0,
    perf: clock,
  })

  function read<T extends object>(
    key: string,
    fetch: () => Promise<T>,
  ): Promise<DatabaseReading<T>> {
    return readingOf('The databases cannot be read.', async () => {
      const known = kept.get(key)
      if (known) return known as T
      const value = await fetch()
      kept.set(key, value)
      return value
    })
  }

  return {
    list: () => read('list', () => listDatabases(dataService)),
    sample: (database) =>
      read(`database ${database.id}`, () => readDatabaseSample(dataService, database)),
  }
}

/** Creates a reader of the members and their email addresses, which it does not store. */
export function createRosterReader({ readAll }: DataService): RosterReader {
  return () =>
    readingOf('The members could not be read.', async () => {
      const { items } = await readAll('members', {}, () => 'person')
      const known = items.map((item) => knownPart('members/contacts', item))
      return readRecords('members/contacts', known).records
    })
}

async function readingOf<T>(failure: string, read: () => Promise<T>): Promise<DatabaseReading<T>> {
  try {
    return { ok: true, value: await read() }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return { ok: false, fault: `${failure} ${adviceFor(error)}` }
  }
}
