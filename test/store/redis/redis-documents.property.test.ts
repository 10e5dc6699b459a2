import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { connectToRedis } from '../../../src/store/redis/redis-connection.ts'
import { redisStoreOver } from '../../../src/store/redis/redis-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { redisCommand } from '../../support/redis-cluster.ts'
import { startRedis } from '../../support/redis-server.ts'
import { redisIsMissing } from '../../support/redis.ts'

const name = 'example.org'
const settings = { bucket: 'settings', id: 'site' }
const linkIds = ['a', 'b', 'c']

const process = fc.nat(2)
const step = fc.oneof(
  fc.record({ kind: fc.constant('settings' as const), process }),
  fc.record({ kind: fc.constant('link' as const), process, id: fc.constantFrom(...linkIds) }),
  fc.record({ kind: fc.constant('delete' as const), process, id: fc.constantFrom(...linkIds) }),
  fc.record({ kind: fc.constant('check' as const), process }),
  fc.record({ kind: fc.constant('restart' as const), process }),
  fc.record({
    kind: fc.constant('lose' as const),
    bucket: fc.constantFrom('settings', 'links', undefined),
    /** False if the other processes have not noticed the latest write yet. */
    isKnown: fc.boolean(),
  }),
)

const linksOf = async ({ documents }: Store) =>
  Object.fromEntries([...(await documents.all('links'))].map(([id, { value }]) => [id, value]))
const settingsOf = async ({ documents }: Store) =>
  (await documents.get(settings.bucket, settings.id))?.value

test.skipIf(redisIsMissing)(
  'stored documents are never read as missing, whatever Redis loses',
  { timeout: 120_000 },
  async () => {
    const redis = await startRedis()
    onTestFinished(() => redis[Symbol.asyncDispose]())
    await using connection = await connectToRedis({ url: redis.url })
    const open = () => redisStoreOver(connection, name, Date.now)
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 15, maxLength: 40, size: 'max' }),
        async (steps) => {
          await redisCommand(redis, 'FLUSHALL')
          const processes = [await open(), await open(), await open()]
          const checkAll = async () => {
            for (const each of processes) await each.keep?.()
          }
          const links = new Map<string, string>()
          const written = ['0']
          // After a loss, processes that did not know the latest write may have written in between.
          let isExact = true
          await processes[0]?.documents.write([{ ...settings, value: '0' }])
          await checkAll()
          for (const [index, one] of steps.entries()) {
            const value = String(index + 1)
            const store = 'process' in one ? processes[one.process] : undefined
            if (one.kind === 'settings') {
              await store?.documents.write([{ ...settings, value }])
              written.push(value)
            }
            if (one.kind === 'link') {
              await store?.documents.write([{ bucket: 'links', id: one.id, value }])
              links.set(one.id, value)
            }
            if (one.kind === 'delete') {
              await store?.documents.write([{ bucket: 'links', id: one.id, value: undefined }])
              links.delete(one.id)
            }
            if (one.kind === 'check') await store?.keep?.()
            if (one.kind === 'restart') {
              // A process that starts waits until the others have written everything back.
              await checkAll()
              processes[one.process] = await open()
              await processes[one.process]?.keep?.()
            }
            if (one.kind === 'lose') {
              if (one.isKnown) await checkAll()
              else isExact = false
              const key = `feedhouse:${name}:documents:${one.bucket}`
              await (one.bucket === undefined
                ? redisCommand(redis, 'FLUSHALL')
                : redisCommand(redis, 'DEL', key))
            }
            for (const each of processes) expect(written).toContain(await settingsOf(each))
          }
          await checkAll()
          await checkAll()
          const [first] = processes
          const latest = first && [await settingsOf(first), await linksOf(first)]
          for (const each of processes) {
            expect([await settingsOf(each), await linksOf(each)]).toEqual(latest)
          }
          const expected = [written.at(-1), Object.fromEntries(links)]
          expect(isExact ? latest : expected).toEqual(expected)
        },
      ),
      { numRuns: 40 },
    )
  },
)
