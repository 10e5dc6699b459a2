import { expect, test } from 'vitest'
import { createStartQueue } from '../../src/hosting/start-queue.ts'
import { oneTurn } from '../support/fake-clock.ts'

/** Creates a queue and records the names of the sites that it starts. Each start ends on command. */
function queueOf(maxConcurrent: number) {
  const queue = createStartQueue(maxConcurrent)
  const started: string[] = []
  const ends: PromiseWithResolvers<string>[] = []
  const add = (name: string) =>
    queue.add(name, () => {
      started.push(name)
      const end = Promise.withResolvers<string>()
      ends.push(end)
      return end.promise
    })
  const endNext = async () => {
    ends.shift()?.resolve('ready')
    await oneTurn()
  }
  return { ...queue, add, ends, endNext, started }
}

test('starts sites in order, and only a few at a time', async () => {
  const { add, endNext, started } = queueOf(2)
  const results = ['a', 'b', 'c', 'd'].map(add)
  await oneTurn()
  expect(started).toEqual(['a', 'b'])
  await endNext()
  expect(started).toEqual(['a', 'b', 'c'])
  await endNext()
  await endNext()
  await endNext()
  expect(await Promise.all(results)).toEqual(['ready', 'ready', 'ready', 'ready'])
  void add('e')
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('starts a prioritized site next', async () => {
  const { add, endNext, prioritize, started } = queueOf(1)
  for (const name of ['a', 'b', 'c', 'd']) void add(name)
  prioritize('d')
  prioritize('unknown')
  await endNext()
  await endNext()
  expect(started).toEqual(['a', 'd', 'b'])
})

test('runs a waiting start right away', async () => {
  const { add, endNext, runNow, started } = queueOf(1)
  for (const name of ['a', 'b', 'c']) void add(name)
  runNow('c')
  runNow('unknown')
  expect(started).toEqual(['a', 'c'])
  await endNext()
  await endNext()
  expect(started).toEqual(['a', 'c', 'b'])
})

test('continues after a site that cannot be started', async () => {
  const { add, ends, started } = queueOf(1)
  const [first] = ['a', 'b'].map(add)
  ends.shift()?.reject(new Error('no store'))
  await expect(first).rejects.toThrow('no store')
  await oneTurn()
  expect(started).toEqual(['a', 'b'])
})
