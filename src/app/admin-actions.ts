import { LRUCache } from 'lru-cache'
import { hourMs, type TimeSource } from '../clock.ts'
import { acceptHeld, keepHolding } from '../collections/copy/stored-collections.ts'
import type { Collections } from '../collections/collections.ts'
import { memberFault } from '../feeds/personal-members.ts'
import type { AdminActions } from '../http/admin/admin-routes.ts'
import type { DatabaseReader, DatabaseReading } from '../http/admin/databases-page.ts'
import { memberChoicesFrom } from '../http/admin/link-form.ts'
import type { LinkService } from '../links/link-service.ts'
import { adviceFor } from '../upstream/advice.ts'
import { listDatabases, readDatabaseSample, type PageReader } from '../upstream/data-service.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import type { Windows } from '../store/store.ts'
import { callsWindow } from './upstream-client.ts'
import { createMessageActions } from './notifications/site-notifications.ts'

/** The form reads the same database again on every edit. */
const databasesKeptMs = 10 * 60_000

const maxDatabasesKept = 20

export function createAdminActions(
  parts: Pick<
    AdminActions,
    'password' | 'isPublicUrlSet' | 'documents' | 'settings' | 'emergency'
  > &
    Parameters<typeof createMessageActions>[0] & {
      readonly links: LinkService
      readonly collections: Collections
      readonly dataService: PageReader
      readonly windows: Windows
    },
): AdminActions {
  const { documents, windows, links, collections, dataService, clock } = parts

  async function thenLoad<T>(decided: Promise<T>): Promise<T> {
    await decided
    await collections.load()
    return decided
  }

  return {
    ...parts,
    databases: createDatabaseReader(dataService, clock),
    listLinks: links.list,
    callsPerHour: () => callsPerHour(windows),
    messages: createMessageActions(parts),
    knownMembers() {
      const copy = collections.copyOf('members')
      return copy && memberChoicesFrom(copy.records)
    },
    memberFault: (link) =>
      memberFault(
        link,
        collections.copyOf('members')?.records,
        !collections.isSwitchedOff('members'),
      ),
    async readMembers() {
      // The schedule reads the members only while a link is for a member.
      await collections.readDue('members')
      await collections.read('members')
    },
    acceptHeld: (resource, version) =>
      thenLoad(acceptHeld(documents, resource, { now: clock.now(), version })),
    keepHolding: (resource) => thenLoad(keepHolding(documents, resource)),
  }
}

export async function callsPerHour(windows: Windows): Promise<readonly number[]> {
  const within = (hours: number) => windows.count(callsWindow, hours * hourMs)
  const counts = await Promise.all(Array.from({ length: 24 }, (_, index) => within(index + 1)))
  return counts.map((count, index) => Math.max(0, count - (counts[index - 1] ?? 0))).toReversed()
}

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
