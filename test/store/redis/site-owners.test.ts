import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectToRedis } from '../../../src/store/redis/redis-connection.ts'
import { createSiteOwners } from '../../../src/store/redis/site-owners.ts'
import { redisStoreOver } from '../../../src/store/redis/redis-store.ts'
import { emptyRedisDatabase, redisIsMissing } from '../../support/redis.ts'

const site = 'www.ashton.example'
const minuteMs = 60_000
const owned = { name: 'StoreError', kind: 'owned' }

async function processesOf(count: number) {
  const connection = await connectToRedis({ url: await emptyRedisDatabase() })
  onTestFinished(() => connection[Symbol.asyncDispose]())
  const key = `feedhouse:${site}:owner`
  const processes = Array.from({ length: count }, (_, index) => {
    const id = `process ${index}`
    const owners = createSiteOwners(connection, id)
    const state = { lost: 0 }
    return {
      id,
      renew: () => owners.renew(),
      state,
      async claim(skewMs = 0) {
        const claim = await owners.claim(site, () => (state.lost += 1))
        const store = await redisStoreOver(claim.connection, site, () => Date.now() + skewMs)
        return { release: claim[Symbol.asyncDispose], store }
      },
    }
  })
  return {
    processes: processes as [(typeof processes)[0], (typeof processes)[0], (typeof processes)[0]],
    stored: () => connection.run(async (client) => await client.get(key)),
    lose: () => connection.unlink([key]),
    /** Makes the current claim expire. */
    expire: async () => {
      const stored = await connection.run(async (client) => await client.get(key))
      if (stored !== null) {
        await connection.evaluate(
          "return redis.call('SET', KEYS[1], ARGV[1])",
          [key],
          [stored.replace(/^\d+/, '0')],
        )
      }
    },
  }
}

const write = { bucket: 'notes', id: 'a', value: 'x' }
const limits = [{ windowMs: minuteMs, max: 1_000 }]

describe.skipIf(redisIsMissing)('owners of sites', () => {
  test('has one owner at a time, which can open its store several times', async () => {
    const { processes } = await processesOf(3)
    const [first, second] = processes
    const [claim, again] = [await first.claim(), await first.claim()]
    await expect(second.claim()).rejects.toMatchObject(owned)
    await claim.release()
    await expect(second.claim()).rejects.toMatchObject(owned)
    await again.release()
    await second.claim()
    await expect(first.claim()).rejects.toMatchObject(owned)
  })

  test('keeps its claim for as long as it renews it', async () => {
    const { processes, expire } = await processesOf(3)
    const [first, second] = processes
    await first.claim()
    await expire()
    await first.renew()
    await expect(second.claim()).rejects.toMatchObject(owned)
    expect(first.state.lost).toBe(0)
  })

  test('allows no write and no call of an owner that another one has replaced', async () => {
    const { processes, expire, stored } = await processesOf(3)
    const [first, second] = processes
    const { store } = await first.claim()
    await store.documents.write([write])
    await expire()
    // Nobody has taken over yet.
    expect(await store.documents.write([write])).toBe(true)
    const next = await second.claim()
    expect(await stored()).toMatch(/^\d+:2:process 1$/)
    await expect(store.documents.write([write])).rejects.toMatchObject(owned)
    await expect(store.windows.take('calls', limits)).rejects.toMatchObject(owned)
    await expect(store.leases.take('reading', 'a', minuteMs)).rejects.toMatchObject(owned)
    expect(await next.store.documents.write([write])).toBe(true)
    expect((await next.store.windows.take('calls', limits)).ok).toBe(true)
    await first.renew()
    expect(first.state.lost).toBe(1)
    expect(second.state.lost).toBe(0)
  })

  test('keeps its claim when Redis loses its data, even if another one has claimed the site since', async () => {
    const { processes, expire, lose, stored } = await processesOf(3)
    const [first, second, third] = processes
    await (await first.claim()).release()
    const { store } = await second.claim()
    await lose()
    await expect(store.documents.write([write])).rejects.toMatchObject(owned)
    await second.renew()
    expect(await stored()).toMatch(/^\d+:2:process 1$/)
    expect(await store.documents.write([write])).toBe(true)
    await lose()
    const other = await third.claim()
    await second.renew()
    await third.renew()
    expect([second, third].map(({ state }) => state.lost)).toEqual([0, 1])
    expect(await store.documents.write([write])).toBe(true)
    await expect(other.store.documents.write([write])).rejects.toMatchObject(owned)
    await expire()
    await third.claim()
    expect(await stored()).toMatch(/^\d+:3:process 2$/)
  })

  test('lets at most one process write after random claims, renewals, pauses and releases', async () => {
    const step = fc.record({
      process: fc.nat(2),
      kind: fc.constantFrom('claim', 'renew', 'release', 'expire'),
      skewMs: fc.integer({ min: -minuteMs, max: minuteMs }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 25, size: 'max' }),
        async (steps) => {
          const { processes, expire, stored } = await processesOf(3)
          const claims = processes.map(
            (): Awaited<ReturnType<(typeof processes)[0]['claim']>>[] => [],
          )
          const numbers: number[] = []
          for (const { process: index, kind, skewMs } of steps) {
            const [process, own] = [processes[index], claims[index]]
            if (!process || !own) throw new TypeError('unknown process')
            if (kind === 'claim') {
              const claim = await process.claim(skewMs).catch(() => undefined)
              if (claim) own.push(claim)
            }
            if (kind === 'renew') await process.renew()
            if (kind === 'release') await own.pop()?.release()
            if (kind === 'expire') await expire()
            const write = { bucket: 'notes', id: randomUUID(), value: '' }
            const writers = await Promise.all(
              claims.map(async (each) => {
                const written = each.map(({ store }) => store.documents.write([write]))
                return (await Promise.allSettled(written)).some(
                  ({ status }) => status === 'fulfilled',
                )
              }),
            )
            expect(writers.filter(Boolean).length).toBeLessThan(2)
            numbers.push(Number(/^\d+:(\d+)/.exec((await stored()) ?? '')?.[1] ?? 0))
          }
          expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
        },
      ),
      { numRuns: 15 },
    )
  })

  test('notifies earlier claims that they are lost when it claims a site again', async () => {
    const { processes, expire } = await processesOf(3)
    const [first, second] = processes
    await first.claim()
    await expire()
    await (await second.claim()).release()
    await first.claim()
    expect(first.state.lost).toBe(1)
  })
})
