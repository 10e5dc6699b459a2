import { StoreError } from '../store-error.ts'
import type { Expected } from '../store.ts'
import type { RedisConnection } from './redis-connection.ts'
import * as scripts from './redis-scripts.ts'

/** Prevents older versions of Feedhouse from misreading newer data. */
export const schemaVersion = '1'

export type SiteConnection = RedisConnection & {
  readonly key: (...parts: readonly string[]) => string
  readonly bucketKey: (bucket: string) => string
  /** Resolves to a bucket's documents in their stored form, with its mark. */
  readonly fieldsOf: (bucket: string) => Promise<Record<string, string>>
  /** Runs a script that writes conditionally. Throws if a newer version has written the data. */
  readonly write: (
    script: string,
    options: { readonly expected: Expected | undefined; readonly now: number },
    keys: readonly string[],
    args: readonly string[],
  ) => Promise<unknown>
  /** Stores documents of a kept bucket as they are. Resolves to false if its mark differs. */
  readonly restore: (
    bucket: string,
    mark: string,
    documents: readonly (readonly [id: string, stored: string])[],
  ) => Promise<boolean>
}

/** Rejects with a `StoreError` if a newer version of Feedhouse wrote the data. */
export async function connectionOf(
  connection: RedisConnection,
  siteName: string,
): Promise<SiteConnection> {
  const { evaluate, address } = connection
  const run: RedisConnection['run'] = (work) => connection.run(work, siteName)
  const key = (...parts: readonly string[]) => connection.keyOf(siteName, ...parts)
  const bucketKey = (bucket: string) => key('documents', bucket)
  const newerFault = () =>
    new StoreError(
      'unusable',
      `The data in Redis at ${address} (REDIS_URL) was written by a newer version of Feedhouse; start that version.`,
    )
  const stored = await run(async (client) => await client.get(key('schema')))
  if (Number(stored ?? 0) > Number(schemaVersion)) throw newerFault()
  return {
    ...connection,
    run,
    key,
    bucketKey,
    fieldsOf: (bucket) =>
      run(async (client) => client.hGetAll(bucketKey(bucket)) as Promise<Record<string, string>>),
    async write(script, { expected, now }, keys, args) {
      const { bucket = '', id = '', revision = '' } = expected ?? {}
      const reply = await evaluate(
        script,
        [key('schema'), bucketKey(bucket), ...keys],
        [String(now), id, String(revision), schemaVersion, ...args],
      )
      if (reply === -1) throw newerFault()
      return reply
    },
    async restore(bucket, mark, documents) {
      const keys = [key('schema'), bucketKey(bucket), key('kept')]
      const args = [schemaVersion, mark, ...documents.flat()]
      const reply = await evaluate(scripts.restoreBucket, keys, args)
      if (reply === -1) throw newerFault()
      return reply === 1
    },
  }
}
