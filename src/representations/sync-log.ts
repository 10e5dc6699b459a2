import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { dayMs, type TimeSource } from '../clock.ts'
import { parsedJson } from '../json.ts'
import { retryWrite, type Documents } from '../store/store.ts'

export const syncBucket = 'sync-logs'

/** Removed items that a log remembers. A client that missed more starts over. */
export const maxRemoved = 2_000

/** A log without changes for this long is deleted, and its clients start over. */
const keptMs = 400 * dayMs

/** Maximum number of collections whose latest items are kept in memory. */
const maxCompared = 50

const logSchema = z.object({
  /** Random, so that tokens of a lost or restored log are not mistaken for its own. */
  id: z.string(),
  /** Increases with every change. */
  revision: z.number(),
  /** Entity tag, and the revision that added or changed the item, by name. */
  items: z.record(z.string(), z.tuple([z.string(), z.number()]).readonly()),
  /** The revision that removed the item, by name. */
  removed: z.record(z.string(), z.number()),
  /** Clients with an older revision have missed removed items. */
  completeSince: z.number(),
})

type Log = Readonly<z.infer<typeof logSchema>>

/** Names of changed and removed items since a client's last visit, and the token for the next one. */
export type SyncChanges = {
  readonly token: string
  readonly changed: readonly string[]
  readonly removed: readonly string[]
}

type Listed = { readonly name: string; readonly etag: string }

export type SyncLogs = ReturnType<typeof createSyncLogs>

/**
 * Remembers how collections change, so that clients get only what is new (RFC 6578). All replicas
 * share the logs. Rejects with a `StoreError` if the store fails.
 */
export function createSyncLogs(documents: Documents, { now }: TimeSource) {
  /** The latest items that were compared with the log, by collection, with the resulting log. */
  const compared = new LRUCache<string, { readonly items: readonly Listed[]; readonly log: Log }>({
    maxSize: maxCompared,
    sizeCalculation: () => 1,
  })

  /** Resolves to the log of a collection after recording its current items. */
  async function update(collection: string, items: readonly Listed[]): Promise<Log> {
    const known = compared.get(collection)
    if (known?.items === items) return known.log
    const log = await retryWrite(async () => {
      const { value = '', revision = 0 } = (await documents.get(syncBucket, collection)) ?? {}
      const before = logSchema.safeParse(parsedJson(value)).data ?? newLog()
      const after = withItems(before, items)
      if (after === before && revision > 0) return after
      const name = { bucket: syncBucket, id: collection }
      const written = { value: JSON.stringify(after), expiresAt: now() + keptMs }
      const isWritten = await documents.write([{ ...name, ...written }], { ...name, revision })
      return isWritten ? after : undefined
    })
    if (!log) throw new Error('the changes of a collection could not be stored')
    compared.set(collection, { items, log })
    return log
  }

  return {
    /** Resolves to the token of a collection with these items. */
    async token(collection: string, items: readonly Listed[]): Promise<string> {
      return tokenOf(await update(collection, items))
    },
    /**
     * Resolves to the changes since a token, or to all items without one. Resolves to undefined if the
     * token is from another log, or too old.
     */
    async changes(
      collection: string,
      items: readonly Listed[],
      token: string,
    ): Promise<SyncChanges | undefined> {
      let log = await update(collection, items)
      if (token === '') return { token: tokenOf(log), changed: Object.keys(log.items), removed: [] }
      const [id, text = ''] = token.startsWith(tokenPrefix)
        ? token.slice(tokenPrefix.length).split('/')
        : []
      const since = /^\d+$/.test(text) ? Number(text) : NaN
      if (id === log.id && since > log.revision) {
        // Another replica has recorded a later change.
        compared.delete(collection)
        log = await update(collection, items)
      }
      const isKnown = id === log.id && since >= log.completeSince && since <= log.revision
      if (!isKnown) return undefined
      const isNew = (revision: number) => revision > since
      return {
        token: tokenOf(log),
        changed: Object.entries(log.items).flatMap(([name, [, at]]) => (isNew(at) ? [name] : [])),
        removed: Object.entries(log.removed).flatMap(([name, at]) => (isNew(at) ? [name] : [])),
      }
    },
  }
}

/** Tokens must be URIs (RFC 6578 4). */
const tokenPrefix = 'urn:feedhouse:sync:'

const tokenOf = ({ id, revision }: Log) => `${tokenPrefix}${id}/${revision}`

function newLog(): Log {
  const id = randomBytes(9).toString('base64url')
  return { id, revision: 0, items: {}, removed: {}, completeSince: 0 }
}

/** Returns the log with the current items, or the same log if there is no change. */
function withItems(log: Log, items: readonly Listed[]): Log {
  const revision = log.revision + 1
  const current = new Map(
    items.map(({ name, etag }) => {
      const known = log.items[name]
      return [name, known?.[0] === etag ? known : ([etag, revision] as const)]
    }),
  )
  const gone = Object.keys(log.items).filter((name) => !current.has(name))
  const isSame = gone.length === 0 && [...current.values()].every(([, at]) => at < revision)
  if (isSame) return log
  const removed = [
    ...Object.entries(log.removed).filter(([name]) => !current.has(name)),
    ...gone.map((name) => [name, revision] as const),
  ].toSorted(([, a], [, b]) => b - a)
  const [, forgottenAt = 0] = removed[maxRemoved] ?? []
  return {
    ...log,
    revision,
    items: Object.fromEntries(current),
    removed: Object.fromEntries(removed.filter(([, at]) => at > forgottenAt)),
    completeSince: Math.max(log.completeSince, forgottenAt),
  }
}
