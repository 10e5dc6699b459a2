import { describe, expect, test } from 'vitest'
import { faultsOf, fitsInWidth, fullChromiumIsMissing } from '../../support/browser.ts'
import { waitFor } from '../../support/wait-for.ts'
import { sharedNotifications, start, startButton, subscriptions } from './notified-page.ts'

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const ipad =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15'

const dayMs = 24 * 60 * 60_000

/** Counts and answers questions for permission in the page. */
const answering = (answer: string) => `
  window.questions = 0
  Object.defineProperty(Notification, 'permission', { get: () => window.answer ?? 'default' })
  Notification.requestPermission = async () => {
    window.questions += 1
    return (window.answer = '${answer}')
  }`

describe.skipIf(fullChromiumIsMissing)('notifications on a device', () => {
  const { service, devices, open } = sharedNotifications()

  test('are turned on, changed and turned off', async () => {
    const { page, section, complaints } = await open()
    const before = (await devices()).length
    await section.getByLabel('Tomorrow’s entries').uncheck()
    expect(await devices()).toHaveLength(before)
    await start(page)
    await section.getByText('Notifications on this device are on.').waitFor()
    expect((await devices()).at(-1)).toMatchObject({
      means: 'push',
      language: 'en',
      choice: { changes: true, tomorrow: false, emergency: true },
    })
    await page.reload()
    await waitFor(async () =>
      expect(await section.getByLabel('Tomorrow’s entries').isChecked()).toBe(false),
    )
    await section.getByLabel('Emergencies').uncheck()
    await waitFor(async () =>
      expect((await devices()).at(-1)).toMatchObject({ choice: { emergency: false } }),
    )
    await section.getByRole('button', { name: 'Turn off notifications' }).click()
    await section.getByText('Notifications on this device are off.').waitFor()
    expect(await devices()).toHaveLength(before)
    await page.reload()
    await startButton(page).waitFor()
    expect(complaints).toEqual([])
  })

  test('are turned off when nothing is chosen', async () => {
    const { page, section } = await open()
    const before = (await devices()).length
    await start(page)
    await section.getByText('Notifications on this device are on.').waitFor()
    for (const name of ['Changes', 'Tomorrow', 'Emergencies']) {
      await section.getByLabel(name).uncheck()
      await section.locator('button:enabled:visible').waitFor()
    }
    await section.getByText('Notifications on this device are off.').waitFor()
    expect(await devices()).toHaveLength(before)
  })

  test('belong to the link on whose page they are turned on', async () => {
    const link = await service().addLink({ label: 'Chief' })
    const { page, section } = await open(`${link}follow/device?lang=es`)
    const before = (await devices()).length
    await section.getByRole('button', { name: 'Activar los avisos' }).click()
    await section.getByText('Los avisos en este dispositivo están activados.').waitFor()
    const added = (await devices()).find(({ linkId }) => linkId !== undefined)
    expect(added).toMatchObject({ language: 'es', linkId: expect.any(String) })
    // On the public page, they are still off.
    await page.goto(`${service().url}/follow/device`)
    await startButton(page).waitFor()
    await page.goto(`${link}follow/device`)
    await section.getByRole('button', { name: 'Turn off notifications' }).click()
    await section.getByText('Notifications on this device are off.').waitFor()
    expect(await devices()).toHaveLength(before)
  })

  test('ask for permission only after a tap', async () => {
    const { page, section } = await open('/follow/device', { script: answering('denied') })
    expect(await page.evaluate('window.questions')).toBe(0)
    await start(page)
    await section.getByText('Your browser blocks notifications').waitFor()
    expect(await page.evaluate('window.questions')).toBe(1)
    expect(await subscriptions(page)).toBe(0)
    expect(await section.getByRole('button').count()).toBe(0)
  })

  test('stay off when the permission prompt is dismissed', async () => {
    const { page, section } = await open('/follow/device', { script: answering('default') })
    await start(page)
    await section.locator('button:enabled:visible').waitFor()
    expect(await page.evaluate('window.questions')).toBe(1)
    expect(await subscriptions(page)).toBe(0)
  })

  test.for([
    { name: 'a browser without push', text: 'This browser cannot show notifications.' },
    { name: 'an iPhone', userAgent: iphone, text: 'work only from the Home Screen' },
    { name: 'an iPad', userAgent: ipad, text: 'work only from the Home Screen' },
    {
      name: 'an app on an iPhone',
      userAgent: `${iphone} Instagram 300.0`,
      text: 'This browser cannot show notifications.',
    },
  ])('explain what is missing in $name', async ({ userAgent, text }) => {
    const touch = `Object.defineProperty(navigator, 'maxTouchPoints', { get: () => 5 })`
    const { page, section, complaints } = await open('/follow/device', {
      script: `delete window.PushManager; delete window.Notification; ${touch}`,
      ...(userAgent === undefined ? {} : { userAgent }),
    })
    await section.getByText(text).waitFor()
    expect(await section.getByRole('button').count()).toBe(0)
    expect(await page.locator('#device > :visible').count()).toBe(2)
    expect(complaints).toEqual([])
  })

  test('show an error if the service does not respond, and can be turned on later', async () => {
    const { page, section } = await open()
    await page.route('**/follow/device', (route) => route.fulfill({ status: 503, body: 'Busy' }))
    await start(page)
    await section.getByText('That did not work.').waitFor()
    const ended = `navigator.serviceWorker.getRegistration('./').then(({ pushManager }) => pushManager.getSubscription())`
    expect(await page.evaluate(ended)).toBeNull()
    await startButton(page).waitFor()
    await page.unroute('**/follow/device')
    await start(page)
    await section.getByText('Notifications on this device are on.').waitFor()
    expect(await subscriptions(page)).toBe(2)
  })

  test.for([
    {
      name: 'the browser has lost the subscription',
      script: `PushManager.prototype.getSubscription = async () => null`,
      saved: {},
      count: 2,
    },
    {
      name: 'the service has another key',
      script: '',
      saved: { applicationServerKey: 'A' },
      count: 2,
    },
    { name: 'a week has passed', script: '', saved: { at: Date.now() - 8 * dayMs }, count: 1 },
  ])('are renewed if $name', async ({ script, saved, count }) => {
    const { page, section } = await open()
    await start(page)
    await section.getByText('Notifications on this device are on.').waitFor()
    await page.evaluate(`(async () => {
      const [cache, key] = [await caches.open('follow'), new URL('device', location.href).href]
      const saved = { ...(await (await cache.match(key)).json()), ...${JSON.stringify(saved)} }
      await cache.put(key, Response.json(saved))
    })()`)
    await page.addInitScript(script)
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await page.reload()
    const { subscription, choice } = (await sent).postDataJSON() as Record<string, object>
    expect(subscription).toMatchObject({ endpoint: `https://fcm.googleapis.com/fcm/send/${count}` })
    expect(choice).toEqual({ changes: true, tomorrow: true, emergency: true })
    await section.getByText('Notifications on this device are on.').waitFor()
  })

  test('are readable on phones, in both color schemes', async () => {
    const { page, section } = await open('/follow/device', {
      viewport: { width: 320, height: 700 },
    })
    expect(await faultsOf(page, 'notifications-off')).toEqual([])
    await start(page)
    await section.getByText('Notifications on this device are on.').waitFor()
    expect(await faultsOf(page, 'notifications-on')).toEqual([])
    expect(await fitsInWidth(page)).toBe(true)
  })
})
