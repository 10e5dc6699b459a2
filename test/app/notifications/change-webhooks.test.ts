import { expect, test } from 'vitest'
import type { ChangeItem } from '../../../src/app/notifications/change-items.ts'
import { sendChanges } from '../../../src/app/notifications/change-webhooks.ts'
import { createWebhookChannel } from '../../../src/app/notifications/webhook.ts'
import { createLogger } from '../../../src/log.ts'
import type { Store } from '../../../src/store/store.ts'
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts'
import { startWebhookReceiver, type ReceivedPost } from '../../support/receivers.ts'
import { openTestStore } from '../../support/store.ts'
import { onEveryStore, storesAt } from '../../support/stores.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createWorkingClock } from './working-clock.ts'

const site = { name: 'Cedar Hollow', idHost: 'www.example.org', publicUrl: 'https://a.example' }

const itemOf = (id: number): ChangeItem => ({
  id: `events-${id}`,
  kind: 'new',
  feed: 'events',
  text: `New: Drill ${id}`,
  url: `https://a.example/events/${id}`,
})

/** The replicas of a service, and the changes that they find. */
function serviceOn(clock: FakeClock, urls: readonly string[]) {
  const state = { items: [itemOf(1), itemOf(2)] as readonly ChangeItem[], feeds: ['events'] }
  const lines: string[] = []
  const workingClock = createWorkingClock(clock)
  const channels = urls.map((url) => {
    const target = { kind: 'json', url } as const
    return createWebhookChannel({ purpose: 'change', target, secret: undefined, now: clock.now })
  })

  function start(store: Pick<Store, 'documents' | 'leases'>, holder: string) {
    return workingClock.start((replicaClock, signal) =>
      sendChanges({
        channels: channels.map(workingClock.countedChannel),
        store: workingClock.countedStore(store),
        holder,
        site,
        find: async () => ({
          feeds: state.feeds,
          items: state.items.map((item) => ({ key: item.id, feed: item.feed, make: () => item })),
        }),
        clock: replicaClock,
        log: createLogger('info', { write: (line) => lines.push(line) }),
        signal,
      }),
    )
  }

  const until = (expectation: () => void) => workingClock.until(15_000, expectation)

  const add = (...ids: readonly number[]) => {
    state.items = [...state.items, ...ids.map(itemOf)]
  }
  return { state, lines, start, until, add }
}

/** Waits until the service has stored its state. */
const isReady = (store: Store) =>
  waitFor(async () => expect(await store.documents.get('change-webhooks', 'state')).toBeDefined())

/** Starts a service with a webhook receiver, and waits until its state is stored. */
async function startWithReceiver() {
  const clock = createFakeClock()
  const store = openTestStore(clock.now)
  const receiver = await startWebhookReceiver()
  const service = serviceOn(clock, [receiver.url])
  service.start(store, 'a')
  await isReady(store)
  return { clock, ...service, ...receiver }
}

function idsIn(posts: readonly ReceivedPost[]): readonly string[] {
  return posts.flatMap(({ json }) => {
    const { changes } = json['data'] as { changes: readonly ChangeItem[] }
    return changes.map(({ id }) => id)
  })
}

onEveryStore((placeOf) => {
  test('sends only new items, in batches at least a minute apart', async () => {
    const { clock, store } = await storesAt(placeOf(), 1)
    const { url, posts } = await startWebhookReceiver()
    const { start, until, add } = serviceOn(clock, [url])
    start(store, 'a')
    await isReady(store)
    await clock.advance(120_000)
    expect(posts).toEqual([])
    add(3, 4)
    await until(() => expect(posts).toHaveLength(1))
    expect(posts[0]?.json).toMatchObject({
      type: 'changes',
      data: {
        site: 'Cedar Hollow',
        title: '2 changes',
        text: ['New: Drill 3', 'New: Drill 4'],
        changes: [itemOf(3), itemOf(4)],
      },
    })
    const sentAt = clock.now()
    add(5)
    await until(() => expect(posts).toHaveLength(2))
    expect(clock.now() - sentAt).toBeGreaterThanOrEqual(45_000)
    expect(idsIn(posts)).toEqual(['events-3', 'events-4', 'events-5'])
  })

  test('loses and repeats nothing if the receiver is down and the service restarts', async () => {
    const { clock, stores } = await storesAt(placeOf(), 2)
    const [first, second] = stores
    if (!first || !second) throw new Error('two stores are needed')
    const [up, down] = [await startWebhookReceiver(), await startWebhookReceiver()]
    down.state.defaultStatus = 404
    const { start, until, add, lines } = serviceOn(clock, [up.url, down.url])
    const stop = start(first, 'a')
    start(second, 'b')
    await isReady(first)
    add(3)
    await until(() => expect([up.posts.length, down.posts.length]).toEqual([1, 2]))
    add(4)
    await until(() => expect(up.posts).toHaveLength(2))
    await stop()
    down.state.defaultStatus = 200
    down.posts.length = 0
    await until(() => expect(idsIn(down.posts)).toEqual(['events-3', 'events-4']))
    expect(idsIn(up.posts)).toEqual(['events-3', 'events-4'])
    expect(lines.join('')).toContain('a message could not be sent')
    expect(lines.join('')).not.toContain('SECRET')
  })
})

test('repeats a failed message with the same id and the same changes', async () => {
  const { posts, answers, until, add } = await startWithReceiver()
  answers.push({ status: 500 })
  add(3)
  await until(() => expect(posts).toHaveLength(1))
  add(4)
  await until(() => expect(posts).toHaveLength(3))
  expect(idsIn(posts)).toEqual(['events-3', 'events-3', 'events-4'])
  const [id, again, other] = posts.map(({ headers }) => headers['webhook-id'])
  expect(again).toBe(id)
  expect(other).not.toBe(id)
})

test('sends large numbers of changes in several messages', async () => {
  const { posts, until, add } = await startWithReceiver()
  add(...Array.from({ length: 60 }, (_, index) => index + 10))
  await until(() => expect(idsIn(posts)).toHaveLength(60))
  expect(posts).toHaveLength(3)
})

test.for([
  { days: 6.9, sent: ['events-3', 'events-4'] },
  { days: 7, sent: ['events-4'] },
])('keeps changes for a receiver that is down for $days days: $sent', async ({ days, sent }) => {
  const { clock, posts, state, until, add } = await startWithReceiver()
  state.defaultStatus = 503
  add(3)
  await until(() => expect(posts).toHaveLength(1))
  await clock.leap(days * 24 * 60 * 60_000)
  state.defaultStatus = 200
  posts.length = 0
  add(4)
  await until(() => expect(idsIn(posts)).toContain('events-4'))
  expect(idsIn(posts)).toEqual(sent)
})
