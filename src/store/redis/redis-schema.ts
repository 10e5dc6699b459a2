import type { RedisConnection } from './redis-connection.ts'
import { StoreError } from '../store-error.ts'
import type { Expected } from '../store.ts'

/** Prevents older versions of Feedhouse from misreading newer data. */
export const schemaVersion = '1'

export type SiteConnection = Awaited<ReturnType<typeof connectionOf>>

/** Rejects with a `StoreError` if a newer version of Feedhouse wrote the data. */
export async function connectionOf(connection: RedisConnection, siteName: string) {
  const { run, evaluate, address } = connection
  const key = (...parts: readonly string[]) => connection.keyOf(siteName, ...parts)
  const newerFault = () =>
    new StoreError(
      'unusable',
      `The data in Redis at ${address} (REDIS_URL) was written by a newer version of Feedhouse; start that version.`,
    )
  const stored = await run(async (client) => await client.get(key('schema')))
  if (Number(stored ?? 0) > Number(schemaVersion)) throw newerFault()
  return {
    ...connection,
    key,
    /** Runs a script that writes conditionally. Throws if a newer version has written the data. */
    write: async (
      script: string,
      { expected, now }: { readonly expected: Expected | undefined; readonly now: number },
      keys: readonly string[],
      args: readonly string[],
    ) => {
      const { bucket = '', id = '', revision = '' } = expected ?? {}
      const reply = await evaluate(
        script,
        [key('schema'), key('documents', bucket), ...keys],
        [String(now), id, String(revision), schemaVersion, ...args],
      )
      if (reply === -1) throw newerFault()
      return reply
    },
  }
}

export async function isStoredInRedis({ run, keyOf }: RedisConnection, name: string) {
  return (await run((client) => client.exists(keyOf(name, 'schema')))) > 0
}

/** Returns the names of all sites that have a document in this bucket in Redis. */
export async function sitesInRedis(
  { keysLike, keyOf }: RedisConnection,
  bucket: string,
): Promise<readonly string[]> {
  const pattern = keyOf('*', 'documents', bucket)
  const [start = '', end = ''] = pattern.split('*')
  return (await keysLike(pattern)).map((key) => key.slice(start.length, -end.length)).sort()
}
