import type { Worker } from 'playwright-core'
import { lookup } from 'node:dns'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test, vi } from 'vitest'
import { createVapid } from '../../../src/delivery/following/push-encryption.ts'
import { createPushTransport } from '../../../src/delivery/following/push-transport.ts'
import { addressFrom } from '../../../src/followers/push-subscription.ts'
import { createBrowserKeys } from '../../delivery/following/received-push.ts'
import { startHttpsServer } from '../../support/https-server.ts'
import { testSite } from '../../support/site.ts'
import { fullChromiumIsMissing } from '../../support/browser.ts'
import { waitFor } from '../../support/wait-for.ts'
import { sharedNotifications, start } from './notified-page.ts'

/** Sends a message to a push service, and returns its content as a browser decrypts it. */
async function pushedContent(url: string): Promise<string> {
  const received = Promise.withResolvers<Buffer>()
  const server = await startHttpsServer((incoming, response) => {
    received.resolve(buffer(incoming))
    response.writeHead(201).end()
  })
  const clock = { now: Date.now }
  const vapid = createVapid('secret', 'mailto:web@example.org', clock)
  const site = { ...testSite, publicUrl: url }
  const connect = { lookup, ca: server.caPem }
  using transport = createPushTransport({ vapid, site, clock, connect })
  const keys = createBrowserKeys()
  const message = {
    id: 'a-1',
    kind: 'emergency',
    language: 'en-US',
    title: 'Cedar Hollow Fire',
    html: '',
    summary: 'Boil water until noon',
    url: `${url}/agenda`,
  } as const
  const to = {
    address: addressFrom({ endpoint: server.url, ...keys }),
    urls: { confirm: '', manage: '', end: '' },
  }
  await transport.send(message, to, new AbortController().signal)
  return keys.decrypt(await received.promise).toString()
}

/** Dispatches an event in the worker, and waits until it has been handled. */
const dispatch = (worker: Worker, type: string, properties: string) =>
  worker.evaluate(`(async () => {
    let handling
    const properties = ${properties}
    const event = Object.assign(new Event('${type}'), properties, { waitUntil: (work) => (handling = work) })
    self.dispatchEvent(event)
    await handling
  })()`)

/** Time to wait for a message before it is delivered again. */
const repeatMs = 10_000

describe.skipIf(fullChromiumIsMissing)('the worker for notifications', () => {
  const { service, open } = sharedNotifications()

  async function openNotified() {
    const opened = await open()
    const { page, context, section } = opened
    const cdp = await context.newCDPSession(page)
    const registered: { readonly registrationId: string }[] = []
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) =>
      registered.push(...registrations),
    )
    await cdp.send('ServiceWorker.enable')
    await start(page)
    await section.getByText('Notifications on this device are on.').waitFor()
    const [worker] = context.serviceWorkers()
    if (!worker) throw new Error('there is no worker')
    /**
     * Delivers a message, and waits until exactly these notifications are shown. Repeats messages, as
     * push services do, because a busy Chromium can drop one.
     */
    const push = (data: string, notifications: readonly object[]) => {
      const areShown = async () => {
        const found = await worker.evaluate<readonly object[]>(shown)
        expect(found).toMatchObject(notifications)
        return found
      }
      return waitFor(async () => {
        const { registrationId = '' } = registered.at(-1) ?? {}
        const message = { origin: service().url, registrationId, data }
        await cdp.send('ServiceWorker.deliverPushMessage', message)
        return vi.waitFor(areShown, { timeout: repeatMs })
      })
    }
    return { ...opened, worker, push }
  }

  const shown = `self.registration.getNotifications().then((all) => all.map(({ title, body, tag, lang, dir, icon, data }) => ({ title, body, tag, lang, dir, icon, data })))`

  test('shows what the service sends, and opens the page after a tap', async () => {
    const { url } = service()
    const { worker, push, page } = await openNotified()
    const notification = {
      title: 'Cedar Hollow Fire',
      body: 'Boil water until noon',
      tag: 'emergency',
      lang: 'en-US',
      dir: 'auto',
      icon: `${url}/icon-512.png`,
      data: `${url}/agenda`,
    }
    expect(await push(await pushedContent(url), [notification])).toEqual([notification])
    // Chromium opens pages only after a real tap.
    await worker.evaluate(`self.opened = []
      self.clients.openWindow = async (url) => self.opened.push(url)
      WindowClient.prototype.focus = async function () { self.opened.push('focused ' + this.url) }`)
    const tap = `{ notification: (await self.registration.getNotifications())[0] }`
    await dispatch(worker, 'notificationclick', tap)
    expect(await worker.evaluate('self.opened')).toEqual([`${url}/agenda`])
    expect(await worker.evaluate(shown)).toEqual([])
    await page.goto(`${url}/agenda`)
    await push(await pushedContent(url), [notification])
    await dispatch(worker, 'notificationclick', tap)
    expect(await worker.evaluate('self.opened')).toEqual([`${url}/agenda`, `focused ${url}/agenda`])
  })

  test('replaces an older notification of the same kind', async () => {
    const { push } = await openNotified()
    const content = await pushedContent(service().url)
    await push(content, [{ body: 'Boil water until noon' }])
    const evening = [{ body: 'Boil water until evening' }]
    expect(await push(content.replace('noon', 'evening'), evening)).toHaveLength(1)
  })

  test('sends a subscription that the browser has replaced', async () => {
    const { worker, context } = await openNotified()
    const sent: unknown[] = []
    await context.route('**/follow/device', async (route) => {
      sent.push([route.request().method(), route.request().postDataJSON()])
      await route.fulfill({ status: 204 })
    })
    const before = `oldSubscription: { endpoint: 'https://fcm.googleapis.com/fcm/send/1' }`
    await dispatch(
      worker,
      'pushsubscriptionchange',
      `{ ${before}, newSubscription: { endpoint: 'https://fcm.googleapis.com/fcm/send/new' } }`,
    )
    expect(sent).toEqual([
      [
        'POST',
        expect.objectContaining({
          choice: { changes: true, tomorrow: true, emergency: true },
          language: 'en',
          subscription: { endpoint: 'https://fcm.googleapis.com/fcm/send/new' },
        }),
      ],
      ['DELETE', { endpoint: 'https://fcm.googleapis.com/fcm/send/1' }],
    ])
  })
})
