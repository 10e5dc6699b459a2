import { LRUCache } from 'lru-cache'
import type { TimeSource } from '../clock.ts'
import type { DatabaseReader, DatabaseReading } from '../http/admin/databases-page.ts'
import { adviceFor } from '../upstream/advice.ts'
import { listDatabases, readDatabaseSample, type DataService } from '../upstream/data-service.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'

/** The form reads the same database with every change to it. */
const keptMs = 10 * 60_000

const maxKept = 20

export function createDatabaseReader(
  dataService: Pick<DataService, 'readPage'>,
  clock: TimeSource,
): DatabaseReader {
  const kept = new LRUCache<string, object>({
    max: maxKept,
    ttl: keptMs,
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
