import { keyOf, type RedisConnection, type SiteConnection } from './redis-connection.ts'
import { StoreError } from '../store-error.ts'

/**
 * Schema version in Redis, which prevents older versions of Feedhouse from misreading newer data.
 */
export const schemaVersion = '1'

/** Rejects with a `StoreError` if a newer version of Feedhouse wrote the data. */
export async function checkSchema(connection: SiteConnection): Promise<void> {
  const { client, run, key } = connection
  const stored = await run(async () => await client.get(key('schema')))
  if (Number(stored ?? 0) > Number(schemaVersion)) throw newerFault(connection)
}

/** Returns true if a site has a store in Redis. */
export async function isStoredInRedis(
  { client, run }: RedisConnection,
  name: string,
): Promise<boolean> {
  return (await run(() => client.exists(keyOf(name, 'schema')))) > 0
}

/** Returns the names of other sites that have a document in this bucket in Redis. */
export function othersInRedis(
  { client, run }: RedisConnection,
  name: string,
  {
    bucket,
    except = new Set(),
  }: { readonly bucket: string; readonly except?: ReadonlySet<string> | undefined },
): Promise<readonly string[]> {
  const pattern = keyOf('*', 'documents', bucket)
  const [start = '', end = ''] = pattern.split('*')
  return run(async () => {
    const names = new Set<string>()
    for await (const keys of client.scanIterator({ MATCH: pattern, COUNT: 1_000 })) {
      for (const key of keys) names.add(key.slice(start.length, -end.length))
    }
    names.delete(name)
    return [...names].filter((each) => !except.has(each)).sort()
  })
}

/** Interprets the reply of a write script. Throws if a newer version has written the data. */
export function hasWritten(connection: SiteConnection, reply: unknown): boolean {
  if (reply === -1) throw newerFault(connection)
  return reply === 1
}

function newerFault({ address }: SiteConnection): StoreError {
  return new StoreError(
    'unusable',
    `The data in Redis at ${address} (REDIS_URL) was written by a newer version of Feedhouse; start that version.`,
  )
}
