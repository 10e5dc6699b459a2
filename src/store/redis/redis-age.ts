import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { minuteMs } from '../../clock.ts'
import { replaceFile } from '../kept-record.ts'
import type { RedisConnection } from './redis-connection.ts'
import { ageOfData } from './redis-scripts.ts'

/** For this long, a site without any data in an emptied Redis may have lost it. */
export const emptiedMs = 10 * minuteMs

/** No website's store can have this name. */
const ageKey = 'feedhouse:{_stores}:since'

export type RedisAge = {
  /** Resolves to the time since Redis was found to be empty. Rejects with a `StoreError`. */
  readonly read: (
    connection: RedisConnection,
  ) => Promise<{ readonly ageMs: number; readonly isEmptied: boolean }>
}

/**
 * Tracks when Redis was last found to be empty. A file in the data directory remembers that across
 * restarts. It also covers sites that other hosts have served until now.
 */
export function createRedisAge(directory: string): RedisAge {
  const file = join(directory, '_stores.kept.json')
  let known = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  return {
    async read({ run }) {
      const reply = await run((client) => client.eval(ageOfData, { keys: [ageKey] }))
      const [since, age] = reply as [string, number]
      const isOther = known !== undefined && known !== since
      if (known === undefined || (isOther && age > emptiedMs)) {
        replaceFile(file, since)
        known = since
      }
      return { ageMs: age, isEmptied: isOther && age <= emptiedMs }
    },
  }
}
