import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { dayMs, type TimeSource } from '../clock.ts'
import { parsedJson } from '../json.ts'
import { retryWrite, type Documents } from '../store/store.ts'

export const syncBucket = 'sync-logs'

/** Maximum number of removed items in a log. A client that has missed more syncs from scratch. */
export const maxRemoved = 2_000

/** A log without changes for this long is deleted. Its clients then sync from scratch. */
const keptMs = 400 * dayMs

const logSchema = z.object({
  /** The collection, and a random part, so that tokens of a lost log are rejected. */
  id: z.string(),
  /** Increases with every change. */
  revision: z.number(),
  /** Entity tag, and the revision that added or changed the item, by name. */
  items: z.record(z.string(), z.tuple([z.string(), z.number()]).readonly()),
  /** The revision that removed the item, by name. */
  removed: z.record(z.string(), z.number()),
  /** Oldest revision since which `removed` is complete. */
  completeSince: z.number(),
})

type Log = Readonly<z.infer<typeof logSchema>>

/** Names of items changed and removed since a client's last sync, and the next sync's token. */
export type SyncChanges = {
  readonly token: string
  readonly changed: readonly string[]
  readonly removed: readonly string[]
}

type Listed = { readonly name: string; readonly etag: string }

export type SyncLogs = {
  readonly token: (collection: string, items: readonly Listed[]) => Promise<string>
  /**
   * Resolves to the changes since a token, or to all items without one. Resolves to undefined if the
   * token is unknown or too old.
   */
  readonly changes: (
    collection: string,
    items: readonly Listed[],
    token: string,
  ) => Promise<SyncChanges | undefined>
}

/**
 * Records the changes to collections, so that clients load only what has changed (RFC 6578). All
 * replicas share the logs. Rejects with a `StoreError` if the store fails.
 */
export function createSyncLogs(documents: Documents, { now }: TimeSource): SyncLogs {
  /** Log of a collection after its latest comparison with these items. */
  const compared = new WeakMap<
    readonly Listed[],
    { readonly collection: string; readonly log: Log }
  >()

  async function stored(collection: string): Promise<{ log: Log | undefined; revision: number }> {
    const { value = '', revision = 0 } = (await documents.get(syncBucket, collection)) ?? {}
    return { log: logSchema.safeParse(parsedJson(value)).data, revision }
  }

  /** Resolves to the log of a collection after recording its current items. */
  async function update(collection: string, items: readonly Listed[]): Promise<Log> {
    const latest = compared.get(items)
    if (latest?.collection === collection) return latest.log
    const log = await retryWrite(async () => {
      const { log: known, revision } = await stored(collection)
      const before = known ?? newLog(collection)
      const after = withItems(before, items)
      if (after === before && revision > 0) return after
      const name = { bucket: syncBucket, id: collection }
      const written = { value: JSON.stringify(after), expiresAt: now() + keptMs }
      const isWritten = await documents.write([{ ...name, ...written }], { ...name, revision })
      return isWritten ? after : undefined
    })
    if (!log) throw new Error('the changes of a collection could not be stored')
    compared.set(items, { collection, log })
    return log
  }

  /**
   * Resolves to the changes for a client that has the items of another collection, because its link
   * was edited or paused.
   */
  async function changesFrom(
    id: string,
    since: number,
    log: Log,
  ): Promise<SyncChanges | undefined> {
    const { log: other } = await stored(id.split('.', 1)[0] ?? '')
    // The link may not be allowed to see later changes to the other collection.
    if (other?.id !== id || other.revision !== since) return undefined
    return {
      token: tokenOf(log),
      changed: Object.entries(log.items).flatMap(([name, [etag]]) =>
        other.items[name]?.[0] === etag ? [] : [name],
      ),
      removed: Object.keys(other.items).filter((name) => !(name in log.items)),
    }
  }

  return {
    async token(collection, items) {
      return tokenOf(await update(collection, items))
    },
    async changes(collection, items, token) {
      let log = await update(collection, items)
      if (token === '') return { token: tokenOf(log), changed: Object.keys(log.items), removed: [] }
      const [, id, revision] = tokenPattern.exec(token) ?? []
      if (id === undefined) return undefined
      const since = Number(revision)
      if (id !== log.id) return changesFrom(id, since, log)
      if (since > log.revision) {
        // Another replica has recorded a later change.
        compared.delete(items)
        log = await update(collection, items)
      }
      if (since < log.completeSince || since > log.revision) return undefined
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
const tokenPattern = /^urn:feedhouse:sync:([\w-]{1,40}\.[\w-]+)\/(\d{1,15})$/

const tokenOf = ({ id, revision }: Log) => `urn:feedhouse:sync:${id}/${revision}`

function newLog(collection: string): Log {
  const id = `${collection}.${randomBytes(9).toString('base64url')}`
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
