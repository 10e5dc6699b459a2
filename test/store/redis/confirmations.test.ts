import { describe, expect, onTestFinished, test } from 'vitest'
import { confirmMs, createConfirmations } from '../../../src/store/redis/confirmations.ts'
import { connectToRedis } from '../../../src/store/redis/redis-connection.ts'
import { createKeptMemory } from '../../../src/store/redis/known-buckets.ts'
import { redisStoreOver } from '../../../src/store/redis/redis-store.ts'
import { minuteMs } from '../../../src/clock.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { redisCommand } from '../../support/redis-cluster.ts'
import { startRedis } from '../../support/redis-server.ts'
import { redisIsMissing } from '../../support/redis.ts'
import { waitFor } from '../../support/wait-for.ts'

const settings = { bucket: 'settings', id: 'site' }
const saved = (value: string) => [{ ...settings, value }]
const buckets = [settings.bucket]

/** Starts a Redis server without persistence. Each store has its own memory, like a process. */
async function emptyRedis() {
  const redis = await startRedis()
  onTestFinished(() => redis[Symbol.asyncDispose]())
  const connection = await connectToRedis({ url: redis.url })
  onTestFinished(() => connection[Symbol.asyncDispose]())
  const clock = createFakeClock(Date.now())
  const openProcess = async () => {
    const memory = createKeptMemory()
    const store = await redisStoreOver(connection, 'example.org', clock.now, memory)
    const { documents } = store
    const { announce, withdraw, confirmed } = createConfirmations(documents, memory, clock)
    const keep = async () => void (await store.keep?.())
    await keep()
    return {
      save: async (value: string) => void (await documents.write(saved(value))),
      value: async () => (await documents.get(settings.bucket, settings.id))?.value,
      confirmed: () => confirmed(buckets),
      withdraw,
      /** Does what a service does every two seconds. */
      async check() {
        await keep()
        await announce()
      },
    }
  }
  return { clock, redis, openProcess, empty: () => redisCommand(redis, 'FLUSHALL') }
}

const waiting = Symbol('waiting')

/** Returns what a promise resolves to, or `waiting`, after the clock has advanced by this time. */
async function after<T>(promise: Promise<T>, advanced: Promise<void>): Promise<T | symbol> {
  await advanced
  return Promise.race([promise, Promise.resolve(waiting)])
}

describe.skipIf(redisIsMissing)('a change', () => {
  test('is not confirmed while Redis does not respond', async () => {
    const { clock, redis, openProcess } = await emptyRedis()
    const [first, second] = [await openProcess(), await openProcess()]
    await first.save('private')
    for (const service of [first, second]) await service.check()
    await redis.kill()
    const confirmed = first.confirmed()
    await clock.advance(confirmMs)
    expect(await confirmed).toEqual({ services: 1, confirming: 0 })
  })

  test('is confirmed once all other services would write it back', async () => {
    const { clock, openProcess, empty } = await emptyRedis()
    const [first, second, command] = [await openProcess(), await openProcess(), await openProcess()]
    await first.save('public')
    for (const service of [first, second]) await service.check()
    await command.save('private')
    const confirmed = command.confirmed()
    await first.check()
    expect(await after(confirmed, clock.advance(1_000))).toBe(waiting)
    await second.check()
    const ended = waitFor(async () => {
      expect(await after(confirmed, clock.advance(100))).not.toBe(waiting)
    })
    await ended
    expect(await confirmed).toEqual({ services: 2, confirming: 2 })
    await empty()
    await second.check()
    expect(await second.value()).toBe('private')
  })

  test('is stored again if the store has lost it before it was confirmed', async () => {
    const { clock, openProcess, empty } = await emptyRedis()
    const [service, command] = [await openProcess(), await openProcess()]
    await service.save('public')
    await service.check()
    await command.save('private')
    await empty()
    await service.check()
    expect(await service.value()).toBe('public')
    const confirmed = command.confirmed()
    await waitFor(async () => {
      await service.check()
      expect(await after(confirmed, clock.advance(100))).toEqual({ services: 1, confirming: 1 })
    })
    expect(await service.value()).toBe('private')
  })

  test('is not confirmed by a service that no longer checks', async () => {
    const { clock, openProcess } = await emptyRedis()
    const [service, command] = [await openProcess(), await openProcess()]
    await service.save('public')
    await service.check()
    await command.save('private')
    const confirmed = command.confirmed()
    await waitFor(async () => {
      expect(await after(confirmed, clock.advance(confirmMs / 10))).toEqual({
        services: 1,
        confirming: 0,
      })
    })
  })

  test.for([
    ['there is no service', async () => {}],
    ['the services have ended', async ({ service }) => service.withdraw()],
    ['the services were killed a while ago', async ({ clock }) => clock.leap(minuteMs)],
  ] satisfies [
    string,
    (on: {
      readonly service: { readonly withdraw: () => Promise<void> }
      readonly clock: ReturnType<typeof createFakeClock>
    }) => Promise<void>,
  ][])('need not be confirmed if %s', async ([name, end]) => {
    const { clock, openProcess } = await emptyRedis()
    const [service, command] = [await openProcess(), await openProcess()]
    if (name !== 'there is no service') await service.check()
    await end({ service, clock })
    await command.save('private')
    expect(await command.confirmed()).toEqual({ services: 0, confirming: 0 })
  })

  test('by the only service need not be confirmed', async () => {
    const { openProcess } = await emptyRedis()
    const service = await openProcess()
    await service.check()
    await service.save('private')
    expect(await service.confirmed()).toEqual({ services: 0, confirming: 0 })
  })
})
