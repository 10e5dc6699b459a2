import { once } from 'node:events'
import { expect, test } from 'vitest'
import { sendAlerts } from '../../../src/delivery/notifications/alerts.ts'
import { deliveryOutcomes } from '../../../src/delivery/notifications/delivery-log.ts'
import { createMailChannel } from '../../../src/delivery/notifications/mail.ts'
import type { Channel } from '../../../src/channels/notice.ts'
import type { Problem } from '../../../src/collections/status/problem.ts'
import { smtpServer } from '../../../src/config/notification-settings.ts'
import type { Store } from '../../../src/store/store.ts'
import { StoreError } from '../../../src/store/store-error.ts'
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts'
import { startMailServer, startWebhookReceiver } from '../../support/receivers.ts'
import { onEveryStore, storesAt } from '../../support/stores.ts'
import { openTestStore } from '../../support/store.ts'
import { waitFor } from '../../support/wait-for.ts'
import { outboxService, webhookTo } from './outbox-service.ts'

const minuteMs = 60_000

const site = {
  name: 'Cedar Hollow',
  idHost: 'www.example.org',
  timeZone: 'America/New_York',
  language: 'en-US',
  publicUrl: 'https://feeds.example.org',
  statusUrl: 'https://feeds.example.org/admin/status',
}

const held: Problem = {
  key: 'records-held',
  title: 'Missing records',
  sentence: 'The website no longer has most of the records in news.',
  since: Date.parse('2026-03-05T14:58:00Z'),
  urgency: 'normal',
}

const storeFailing: Problem = { ...held, key: 'store-failing', title: 'The store is failing' }

/** The replicas of a service, which all see the same problems. */
function serviceOn(clock: FakeClock, channels: readonly Channel[]) {
  const state = { open: [] as readonly Problem[] }
  const service = outboxService(clock, channels, (options) =>
    sendAlerts({
      ...options,
      settings: { quietHours: undefined, summaryDay: undefined },
      site,
      problems: async () => ({ open: state.open, unknown: new Set() }),
      startAfterMs: 0,
    }),
  )
  const until = (expectation: () => void) => service.until(minuteMs, expectation)
  return { ...service, state, until }
}

/** Returns a channel that sends alerts like this. */
const channelOf = (send: Channel['send']): Channel => ({
  id: 'channel',
  label: 'channel',
  receiver: undefined,
  send,
})

/** Starts a webhook receiver for the alerts of a service. */
async function withReceiver() {
  const clock = createFakeClock()
  const receiver = await startWebhookReceiver()
  const store = openTestStore(clock.now)
  return {
    clock,
    store,
    receiver,
    ...receiver,
    ...serviceOn(clock, [webhookTo(receiver.url, 'alert', clock)]),
  }
}

test('mails a problem once, and once when it has ended', async () => {
  const clock = createFakeClock()
  const { url, mails } = await startMailServer()
  const mail = { server: smtpServer.parse(url), to: ['chief@example.org'], from: 'a@example.org' }
  const store = openTestStore(clock.now)
  const { state, start, until } = serviceOn(clock, [createMailChannel(mail)])
  start(store, 'a')
  state.open = [held]
  await until(() => expect(mails).toHaveLength(1))
  expect(mails[0]?.text).toContain('Subject: [Cedar Hollow] Missing records')
  expect(mails[0]?.text).toContain(`${held.sentence}\n\nSince Thu, Mar 5, 9:58 AM.`)
  state.open = []
  await until(() => expect(mails).toHaveLength(2))
  expect(mails[1]?.text).toContain('Subject: [Cedar Hollow] No records are missing anymore')
  expect(mails[1]?.text).toMatch(/The problem lasted \d+ minutes, from Thu, Mar 5, 9:58 AM to/)
  const [thread, other] = mails.map(({ text }) => /^References: (.*)$/m.exec(text)?.[1])
  expect(thread).toBe('<records-held.www.example.org@example.org>')
  expect(other).toBe(thread)
  await clock.advance(60 * minuteMs)
  expect(mails).toHaveLength(2)
  await waitFor(async () =>
    expect((await deliveryOutcomes(store.documents)).get('mail')).toMatchObject({
      lastSuccessAt: expect.any(Number),
    }),
  )
})

onEveryStore((placeOf) => {
  test('one of several replicas sends, and another one takes over without repeating', async () => {
    const { clock, stores } = await storesAt(placeOf(), 2)
    const { url, posts } = await startWebhookReceiver()
    const { state, start, until } = serviceOn(clock, [webhookTo(url, 'alert', clock)])
    const [first, second] = stores
    if (!first || !second) throw new Error('two stores are needed')
    const stopFirst = start(first, 'a')
    start(second, 'b')
    state.open = [held]
    await until(() => expect(posts).toHaveLength(1))
    await stopFirst()
    state.open = [held, storeFailing]
    await until(() => expect(posts).toHaveLength(2))
    state.open = []
    await until(() => expect(posts).toHaveLength(4))
    const types = posts.map(({ json }) => json['type'])
    expect(types).toEqual(['alert.opened', 'alert.opened', 'alert.over', 'alert.over'])
    expect(new Set(posts.map(({ headers }) => headers['webhook-id'])).size).toBe(4)
  })

  test('repeats nothing after a restart, but sends messages that a receiver has missed', async () => {
    const { clock, store } = await storesAt(placeOf(), 1)
    const [up, down] = [await startWebhookReceiver(), await startWebhookReceiver()]
    down.state.defaultStatus = 503
    const channels = [up, down].map(({ url }) => webhookTo(url, 'alert', clock))
    const { state, start, until, lines } = serviceOn(clock, channels)
    state.open = [held]
    const stop = start(store, 'a')
    await until(() => expect([up.posts.length, down.posts.length]).toEqual([1, 2]))
    await stop()
    down.state.defaultStatus = 200
    down.posts.length = 0
    start(store, 'b')
    await until(() => expect(down.posts).toHaveLength(1))
    expect(up.posts).toHaveLength(1)
    expect(down.posts[0]?.json).toMatchObject({ data: { problem: { key: 'records-held' } } })
    expect(lines.join('')).toContain('a message could not be sent')
    expect(lines.join('')).not.toContain('SECRET')
  })
})

test('sends alerts in order after an outage of the receiver, none of them twice', async () => {
  const { clock, store, posts, answers, state, start, until } = await withReceiver()
  answers.push({ status: 503 })
  start(store, 'a')
  state.open = [held, storeFailing]
  const keys = () =>
    posts.map(({ json }) => (json['data'] as { readonly problem: Problem }).problem.key)
  await until(() => expect(posts.length).toBeGreaterThanOrEqual(3))
  await clock.advance(30 * minuteMs)
  const [failed, ...sent] = keys()
  expect(sent.toSorted()).toEqual(['records-held', 'store-failing'])
  expect(failed).toBe(sent[0])
})

test.for([
  [2.9, 1],
  [3.1, 0],
] as const)('after %d days without a receiver, sends %i alerts', async ([days, count]) => {
  const { clock, store, receiver, posts, state, start, until } = await withReceiver()
  receiver.state.defaultStatus = 503
  state.open = [held]
  const stop = start(store, 'a')
  await until(() => expect(posts.length).toBeGreaterThanOrEqual(1))
  await stop()
  await clock.advance(days * 24 * 60 * minuteMs)
  receiver.state.defaultStatus = 200
  posts.length = 0
  state.open = [held, storeFailing]
  start(store, 'b')
  const openedOf = ({ key }: Problem) =>
    posts.filter(({ json: { type, data } }) => {
      return type === 'alert.opened' && (data as { readonly problem: Problem }).problem.key === key
    })
  await until(() => expect(openedOf(storeFailing)).toHaveLength(1))
  expect(openedOf(held)).toHaveLength(count)
})

test('reports a failing store once, although nothing can be stored', async () => {
  const { clock, store, posts, state, start, until } = await withReceiver()
  let isDown = false
  const unlessDown = <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) => {
    return async (...args: A) => {
      if (isDown) throw new StoreError('full', 'no space')
      return work(...args)
    }
  }
  const { documents, leases } = store
  const failing = {
    documents: { ...documents, write: unlessDown(documents.write) },
    leases: { ...leases, take: unlessDown(leases.take) },
  }
  start(failing, 'a')
  await clock.advance(minuteMs)
  isDown = true
  state.open = [storeFailing]
  await until(() => expect(posts).toHaveLength(1))
  await clock.advance(30 * minuteMs)
  isDown = false
  await clock.advance(5 * minuteMs)
  state.open = []
  await until(() => expect(posts).toHaveLength(2))
  expect(posts.map(({ json }) => json['type'])).toEqual(['alert.opened', 'alert.over'])
})

test('a message that is cut off by a stop is no failure, and is sent after the restart', async () => {
  const clock = createFakeClock()
  const started: string[] = []
  const cutOff = channelOf(async ({ id }, signal) => {
    started.push(id)
    if (started.length > 1) return { ok: true }
    await once(signal, 'abort')
    return { ok: false, reason: 'stopped', isPermanent: false }
  })
  const { state, start, until, lines } = serviceOn(clock, [cutOff])
  const store = openTestStore(clock.now)
  const stop = start(store, 'a')
  state.open = [held]
  await clock.advance(5 * minuteMs)
  expect(started).toHaveLength(1)
  await stop()
  expect(await deliveryOutcomes(store.documents)).toEqual(new Map())
  expect(lines).toEqual([])
  start(store, 'b')
  await until(() => expect(started).toEqual([started[0], started[0]]))
})

test('sends nothing more after a stop while the store is slow, and loses and repeats no alert', async () => {
  const clock = createFakeClock()
  const sent: string[] = []
  const channel = channelOf(async ({ id }) => {
    sent.push(id)
    return { ok: true }
  })
  const { state, start, until } = serviceOn(clock, [channel])
  const store = openTestStore(clock.now)
  const { promise: noResponse, reject: giveUp } = Promise.withResolvers<never>()
  const write: Store['documents']['write'] = (writes, expected) =>
    writes.some(({ bucket }) => bucket === 'deliveries')
      ? noResponse
      : store.documents.write(writes, expected)
  const stop = start({ ...store, documents: { ...store.documents, write } }, 'a')
  state.open = [held, storeFailing]
  await clock.advance(5 * minuteMs)
  expect(sent).toHaveLength(1)
  const stopped = stop()
  giveUp(new StoreError('unreachable', 'no response'))
  await stopped
  expect(sent).toHaveLength(1)
  start(store, 'b')
  await until(() => expect(sent).toHaveLength(2))
  await clock.advance(30 * minuteMs)
  expect(new Set(sent).size).toBe(2)
  expect(sent).toHaveLength(2)
})

test('starts again if the stored state is damaged', async () => {
  const { store, posts, state, start, until } = await withReceiver()
  await store.documents.write([{ bucket: 'alerts', id: 'state', value: '{"alerts":5}' }])
  state.open = [held]
  start(store, 'a')
  await until(() => expect(posts).toHaveLength(1))
})

test('two replicas send no message twice while a receiver is slow', async () => {
  const clock = createFakeClock()
  const sent: string[] = []
  const slow = channelOf(async ({ id }) => {
    sent.push(id)
    await clock.sleep(4 * minuteMs)
    return { ok: true }
  })
  const { state, start } = serviceOn(clock, [slow])
  const store = openTestStore(clock.now)
  for (const holder of ['a', 'b']) start(store, holder)
  state.open = [held, storeFailing, { ...held, key: 'disk-full' }]
  await clock.advance(60 * minuteMs)
  expect(sent).toHaveLength(3)
  expect(new Set(sent).size).toBe(3)
})
