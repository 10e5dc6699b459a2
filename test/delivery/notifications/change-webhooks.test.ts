import { expect, test } from 'vitest'
import {
  sendChanges,
  type ChangeItem,
} from '../../../src/delivery/notifications/change-webhooks.ts'
import type { Channel } from '../../../src/channels/notice.ts'
import type { Store } from '../../../src/store/store.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { startWebhookReceiver, type ReceivedPost } from '../../support/receivers.ts'
import { testSite } from '../../support/site.ts'
import { openTestStore } from '../../support/store.ts'
import { waitFor } from '../../support/wait-for.ts'
import { outboxService, webhookTo } from './outbox-service.ts'

const site = { ...testSite, name: 'Cedar Hollow', publicUrl: 'https://a.example' }

const itemOf = (id: number): ChangeItem => ({
  id: `events-${id}`,
  kind: 'new',
  feed: 'events',
  text: `New: Drill ${id}`,
  url: `https://a.example/events/${id}`,
})

/** Starts a service with a webhook receiver, and waits until its state is stored. */
async function startWithReceiver(
  language = site.language,
  beforeSending: (documents: Store['documents']) => Promise<void> = async () => {},
) {
  const clock = createFakeClock()
  const store = openTestStore(clock.now)
  const receiver = await startWebhookReceiver()
  const found = [itemOf(1), itemOf(2)]
  const shown = { publicFeedIds: ['events'], feeds: ['events'] }
  const webhook = webhookTo(receiver.url, 'change', clock)
  const send: Channel['send'] = async (...message) => {
    await beforeSending(store.documents)
    return webhook.send(...message)
  }
  const channels = [{ ...webhook, send }]
  const service = outboxService(clock, channels, (options) =>
    sendChanges({
      ...options,
      site: { ...site, language },
      publicFeedIds: shown.publicFeedIds,
      find: async () => ({
        feeds: shown.feeds,
        items: found
          .filter(({ feed }) => shown.feeds.includes(feed))
          .map((item) => ({ ...item, key: item.id, make: () => item })),
      }),
    }),
  )
  const start = () => service.start(store, 'a')
  const stop = start()
  await waitFor(async () =>
    expect(await store.documents.get('change-webhooks', 'state')).toBeDefined(),
  )
  return {
    clock,
    documents: store.documents,
    start,
    stop,
    ...receiver,
    until: (expectation: () => void) => service.until(15_000, expectation),
    add: (...ids: readonly number[]) => void found.push(...ids.map(itemOf)),
    shown,
    lines: service.lines,
    /** Changes an item, or removes it if it has no text. */
    change: (id: number, text?: string) => {
      const { id: itemId } = itemOf(id)
      const index = found.findIndex((item) => item.id === itemId)
      found.splice(index, 1, ...(text === undefined ? [] : [{ ...itemOf(id), text }]))
    },
    addNews: (id: number) => void found.push({ ...itemOf(id), kind: 'news' }),
  }
}

function idsIn(posts: readonly ReceivedPost[]): readonly string[] {
  return posts.flatMap(({ json }) => {
    const { changes } = json['data'] as { changes: readonly ChangeItem[] }
    return changes.map(({ id }) => id)
  })
}

test('sends only new items, in batches at least a minute apart', async () => {
  const { clock, posts, until, add } = await startWithReceiver()
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

test.for([
  ['en-US', ['3 changes', 'News', '1 change and news']],
  ['es-US', ['3 cambios', 'Noticias', '1 cambio y noticias']],
  ['fr-CA', ['3 changements', 'Nouvelles', '1 changement et des nouvelles']],
  ['de-DE', ['3 Änderungen', 'Neuigkeiten', '1 Änderung sowie Neuigkeiten']],
] as const)(
  'counts changes and news in the language of the site: %s',
  async ([language, titles]) => {
    const { posts, until, add, addNews } = await startWithReceiver(language)
    const steps = [() => add(3, 4, 5), () => addNews(6), () => [add(7), addNews(8)]]
    for (const [index, step] of steps.entries()) {
      step()
      await until(() => expect(posts).toHaveLength(index + 1))
    }
    expect(posts.map(({ json }) => (json['data'] as { title: string }).title)).toEqual(titles)
  },
)

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

test('loses and repeats nothing if the receiver is down and the service restarts', async () => {
  const { posts, state, start, stop, until, add } = await startWithReceiver()
  add(3)
  await until(() => expect(posts).toHaveLength(1))
  state.defaultStatus = 503
  add(4)
  await until(() => expect(posts).toHaveLength(2))
  await stop()
  add(5)
  state.defaultStatus = 200
  posts.length = 0
  start()
  await until(() => expect(idsIn(posts)).toEqual(['events-4', 'events-5']))
})

test('resends a message with the same id and changes after a crash while sending', async () => {
  let stored: string | undefined
  const { posts, documents, start, stop, until, add } = await startWithReceiver(
    'en-US',
    async (from) => {
      stored ??= (await from.get('change-webhooks', 'state'))?.value
    },
  )
  add(3)
  await until(() => expect(posts).toHaveLength(1))
  await stop()
  await documents.write([{ bucket: 'change-webhooks', id: 'state', value: stored ?? '' }])
  add(4)
  start()
  await until(() => expect(posts).toHaveLength(3))
  expect(idsIn(posts)).toEqual(['events-3', 'events-3', 'events-4'])
  expect(posts[1]?.headers['webhook-id']).toBe(posts[0]?.headers['webhook-id'])
})

/** Starts with two items of which the receiver has not accepted any, after a first attempt. */
async function startWithWaiting() {
  const service = await startWithReceiver()
  const { posts, state, until, add } = service
  state.defaultStatus = 503
  add(3, 4)
  await until(() => expect(posts).toHaveLength(1))
  posts.length = 0
  state.defaultStatus = 200
  return service
}

test('never sends what the website has withdrawn or changed in the meantime', async () => {
  const { posts, lines, until, change, add } = await startWithWaiting()
  change(3)
  change(4, 'New: Parade')
  add(5)
  await until(() => expect(idsIn(posts)).toEqual(['events-4', 'events-5']))
  expect(JSON.stringify(posts.map(({ json }) => json))).not.toContain('Drill 4')
  expect(lines.filter((line) => line.includes('no longer public'))).toEqual([
    expect.stringContaining('"withdrawn":1'),
  ])
})

test('never sends changes of a feed that has become private', async () => {
  const { clock, posts, shown, stop, start, documents } = await startWithWaiting()
  await stop()
  Object.assign(shown, { publicFeedIds: [], feeds: [] })
  start()
  await waitFor(async () => {
    await clock.advance(15_000)
    expect((await documents.get('change-webhooks', 'state'))?.value).not.toContain('Drill 3')
  })
  await clock.advance(600_000)
  expect(posts).toEqual([])
})

test('keeps changes while there is no copy of their feed', async () => {
  const { clock, posts, shown, until, add } = await startWithWaiting()
  shown.feeds = []
  await clock.advance(600_000)
  expect(posts).toEqual([])
  shown.feeds = ['events']
  add(5)
  await until(() => expect(idsIn(posts).toSorted()).toEqual(['events-3', 'events-4', 'events-5']))
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
