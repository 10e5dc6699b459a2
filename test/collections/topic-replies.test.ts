import { expect, test } from 'vitest'
import { createTopicReplies } from '../../src/collections/topic-replies.ts'
import { createLogger } from '../../src/log.ts'
import { UpstreamError } from '../../src/upstream/upstream-error.ts'
import { collectionsOf, minuteMs } from '../support/collections.ts'

const hourMs = 60 * minuteMs

const topic = (id: number, changes: object = {}) => ({
  id,
  title: `Topic ${id}`,
  status: 1,
  locked: 0,
  created: '2026-03-01 09:00:00',
  lastPost: '2026-03-02 09:00:00',
  replyCount: 1,
  ...changes,
})

const reply = (id: number, changes: object = {}) => ({
  id,
  title: 'Re: Topic',
  status: 1,
  text: 'I do.',
  created: '2026-03-02 09:00:00',
  ...changes,
})

async function withForum(topics: readonly object[] = [topic(7), topic(8)]) {
  const parts = collectionsOf({ resources: ['discuss'] })
  const { website, clock, collections, dataService, lines } = parts
  website.items = { discuss: topics, 'discuss/replies': [reply(70)] }
  collections.start()
  await clock.advance(0)
  let aheadMs = 0
  const { read } = createTopicReplies({
    dataService,
    collections,
    siteTimeZone: 'America/New_York',
    clock: { ...clock, now: () => clock.now() + aheadMs },
    log: createLogger('info', { write: (line) => lines.push(line) }),
  })
  const calls = () => website.readings.filter(({ query }) => query['ID'] !== undefined)
  const textsOf = async (id: number) => (await read(id)).replies.records.map(({ text }) => text)
  const setAhead = (ms: number) => void (aheadMs = ms)
  return { ...parts, read, calls, textsOf, setAhead }
}

test('reads the replies to a topic once, with the lowest priority', async () => {
  const { textsOf, calls, clock } = await withForum()
  await clock.advance(hourMs)
  expect(calls()).toEqual([])
  expect(await Promise.all([textsOf(7), textsOf(7)])).toEqual([['I do.'], ['I do.']])
  await clock.advance(11 * hourMs)
  await textsOf(7)
  expect(calls()).toMatchObject([{ endpoint: 'discuss', query: { ID: '7' } }])
  expect(calls()[0]?.priority()).toBe('warm-up')
})

test('reads replies again after a new post, and after half a day', async () => {
  const { textsOf, collections, calls, website, clock } = await withForum()
  await textsOf(7)
  website.items.discuss = [topic(7, { lastPost: '2026-03-06 09:00:00', replyCount: 2 })]
  website.items['discuss/replies'] = [reply(70), reply(71, { text: 'Me too.' })]
  collections.recordRead('discuss')
  await clock.advance(hourMs)
  expect((await textsOf(7)).toSorted()).toEqual(['I do.', 'Me too.'])
  expect(calls()).toHaveLength(2)
  await clock.advance(12 * hourMs)
  await textsOf(7)
  expect(calls()).toHaveLength(3)
})

test('reads replies again if they were read while the clock was ahead', async () => {
  const { textsOf, calls, setAhead } = await withForum()
  setAhead(24 * hourMs)
  await textsOf(7)
  setAhead(0)
  await textsOf(7)
  expect(calls()).toHaveLength(2)
})

test('notices edited replies, and keeps the time of the others', async () => {
  const { read, website, clock } = await withForum()
  website.items['discuss/replies'] = [reply(70), reply(71)]
  const { replies } = await read(7)
  const posted = Date.parse('2026-03-02T14:00:00Z')
  expect(replies.ledger.get(70)).toMatchObject({ revision: 0, changedAt: posted })
  await clock.advance(12 * hourMs)
  const same = await read(7)
  expect(same.replies.changedAt).toBe(replies.changedAt)
  website.items['discuss/replies'] = [reply(70), reply(71, { text: 'Edited.' })]
  await clock.advance(12 * hourMs)
  const edited = await read(7)
  expect(edited.replies.changedAt).toBe(clock.now())
  expect(edited.replies.ledger.get(70)).toEqual(replies.ledger.get(70))
  expect(edited.replies.ledger.get(71)).toMatchObject({ revision: 1, changedAt: clock.now() })
})

test('shows a reply that the website dates in the future since it was first read', async () => {
  const { read, website, clock } = await withForum()
  website.items['discuss/replies'] = [reply(70, { created: '2027-01-01 09:00:00' }), reply(71)]
  const firstReadAt = clock.now()
  const { replies } = await read(7)
  const times = replies.records.map(({ id }) => [id, replies.ledger.get(id)?.firstSeenAt])
  expect(Object.fromEntries(times)).toEqual({
    70: firstReadAt,
    71: Date.parse('2026-03-02T14:00:00Z'),
  })
})

test('counts a new title of the topic as a change', async () => {
  const { read, collections, website, clock } = await withForum()
  await read(7)
  website.items.discuss = [topic(7, { title: 'Renamed' })]
  collections.recordRead('discuss')
  await clock.advance(hourMs)
  expect((await read(7)).replies.changedAt).toBe(clock.now())
})

test.for([
  ['that the forum does not have', 9],
  ['that is Offline', 8],
] as const)('makes no call for a topic %s', async ([, id]) => {
  const { read, calls } = await withForum([topic(7), topic(8, { status: 2 })])
  const { topic: shown, replies } = await read(id)
  expect([shown, replies.records]).toEqual([undefined, []])
  expect(calls()).toEqual([])
})

test('has no replies to a topic that was deleted after the list was read', async () => {
  const { textsOf, website } = await withForum()
  website.failing = 'discuss/replies'
  website.failure = new UpstreamError('not_found', 'discuss: 404')
  expect(await textsOf(7)).toEqual([])
})

test('pauses a topic after a failure, and returns its last replies in the meantime', async () => {
  const { textsOf, calls, website, clock, lines } = await withForum()
  await textsOf(7)
  website.failing = 'discuss/replies'
  website.failure = new UpstreamError('server_error', 'discuss: 500')
  await clock.advance(12 * hourMs)
  expect(await textsOf(7)).toEqual(['I do.'])
  expect(lines.join('')).toContain('could not read the replies to a topic')
  expect(await textsOf(7)).toEqual(['I do.'])
  await expect(textsOf(8)).rejects.toMatchObject({ kind: 'not read yet' })
  expect(calls()).toHaveLength(3)
  website.failure = undefined
  await expect(textsOf(8)).rejects.toMatchObject({ retryAfterMs: 5 * minuteMs })
  await clock.advance(15 * minuteMs)
  expect(await textsOf(8)).toEqual(['I do.'])
})

test('does not wait longer than eight seconds for the website', async () => {
  const { textsOf, calls, website, clock } = await withForum()
  const { promise, resolve } = Promise.withResolvers<void>()
  website.hangs = promise
  await Promise.all([
    expect(textsOf(7)).rejects.toMatchObject({ kind: 'not read yet' }),
    clock.advance(8_000),
  ])
  resolve()
  await clock.advance(0)
  expect(await textsOf(7)).toEqual(['I do.'])
  expect(calls()).toHaveLength(1)
})

test('limits the calls caused by a client that requests every topic', async () => {
  const topics = Array.from({ length: 400 }, (_, index) => topic(index + 1))
  const { textsOf, calls, clock } = await withForum(topics)
  const request = () => Promise.allSettled(topics.map(({ id }) => textsOf(id)))
  const results = await request()
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  for (let hour = 0; hour < 24; hour += 1) {
    await clock.advance(hourMs)
    await request()
  }
  expect(calls().length).toBeLessThan(320)
})

test('keeps the 200 newest replies', async () => {
  const { textsOf, website } = await withForum()
  website.items['discuss/replies'] = Array.from({ length: 250 }, (_, index) =>
    reply(index + 1, { text: String(index + 1) }),
  )
  const texts = await textsOf(7)
  expect(texts).toHaveLength(200)
  expect(texts).not.toContain('50')
})
