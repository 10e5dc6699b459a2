import { LRUCache } from 'lru-cache'
import type { TimeSource } from '../clock.ts'
import type { DatabaseReader, DatabaseReading } from '../site/admin-actions.ts'
import { adviceFor } from '../upstream/advice.ts'
import { listDatabases, readDatabaseSample, type PageReader } from '../upstream/data-service.ts'
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

  async function read<T extends object>(
    key: string,
    fetch: () => Promise<T>,
  ): Promise<DatabaseReading<T>> {
    const known = kept.get(key)
    if (known) return { ok: true, value: known as T }
    try {
      const value = await fetch()
      kept.set(key, value)
      return { ok: true, value }
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      return { ok: false, fault: `The databases cannot be read. ${adviceFor(error)}` }
    }
  }

  return {
    list: () => read('list', () => listDatabases(dataService)),
    sample: (database) =>
      read(`database ${database.id}`, () => readDatabaseSample(dataService, database)),
  }
}
