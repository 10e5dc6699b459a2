import { expect, test } from 'vitest'
import { createDrawingQueue } from '../../src/pictures/drawing-queue.ts'

/** Returns a queue whose clock advances each time it is read, and a function that adds a drawing. */
function createQueue() {
  let now = 0
  const queue = createDrawingQueue(() => (now += 0.001))
  const drawn: string[] = []
  return {
    drawn,
    wait: (ms: number) => void (now += ms),
    draw: (network: string, name: string, ms: number) =>
      queue.add(network, async () => {
        now += ms
        drawn.push(name)
      }),
  }
}

test('draws first for networks that have used less time, and in order within each network', async () => {
  const { draw, drawn } = createQueue()
  await draw('192.0.2', 'long', 100)
  await draw('198.51.100', 'short', 10)
  const first = draw('203.0.113', 'first', 1)
  const long = ['a', 'b', 'c'].map((name) => draw('192.0.2', name, 30))
  const short = ['d', 'e', 'f'].map((name) => draw('198.51.100', name, 30))
  await Promise.all([first, ...long, ...short])
  expect(drawn.slice(2)).toEqual(['first', 'd', 'e', 'f', 'a', 'b', 'c'])
})

test('forgets used time', async () => {
  const { draw, drawn, wait } = createQueue()
  await draw('192.0.2', 'long', 100)
  wait(10 * 60_000)
  await draw('198.51.100', 'recent', 10)
  await Promise.all([
    draw('203.0.113', 'first', 1),
    draw('198.51.100', 'second', 1),
    draw('192.0.2', 'third', 1),
  ])
  expect(drawn.slice(2)).toEqual(['first', 'third', 'second'])
})

test('lets each new network draw only once before one that drew a while ago', async () => {
  const { draw, drawn, wait } = createQueue()
  await draw('198.51.100', 'earlier', 100)
  wait(10_000)
  const many = ['192.0.2', '203.0.113'].flatMap((network) =>
    [1, 2].map((count) => draw(network, `${network} ${count}`, 30)),
  )
  await Promise.all([...many, draw('198.51.100', 'again', 30)])
  expect(drawn.slice(1, 4)).toEqual(['192.0.2 1', '203.0.113 1', 'again'])
})

test('draws last for a client with many networks that has used a lot of time', async () => {
  const { draw, drawn } = createQueue()
  await draw('198.51.100', 'other', 100)
  const many = Array.from({ length: 20 }, (_, index) => `2001:db8:${index}`)
  for (const network of many) await draw(network, network, 100)
  const waiting = ['2001:db8:a', '2001:db8:b', '198.51.100'].map((each) => draw(each, each, 100))
  await Promise.all(waiting)
  expect(drawn.slice(-3)).toEqual(['2001:db8:a', '198.51.100', '2001:db8:b'])
})

test('draws the next picture after one has failed', async () => {
  const queue = createDrawingQueue()
  const failed = queue.add('192.0.2', () => Promise.reject(new RangeError('too small')))
  const drawn = queue.add('192.0.2', async () => 'a picture')
  await expect(failed).rejects.toThrow('too small')
  expect(await drawn).toBe('a picture')
})
