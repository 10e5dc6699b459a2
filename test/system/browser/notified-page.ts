import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { openPage } from '../../support/browser.ts'
import { chromiumOptions, fullChromiumPath } from '../../support/chromium.ts'
import { pushEnvironment } from '../../support/following.ts'
import { sharedService } from '../../support/shared-service.ts'
import type { Store } from '../../../src/store/store.ts'

/** Keys of the example in RFC 8291. */
const keys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

/**
 * Runs in pages and workers. Replaces the push service, to which Chromium has no access. Subscriptions
 * are numbered, and stored until the browser's context is closed.
 */
const stubPushService = `{
  const cached = () => caches.open('push service')
  const load = async () => (await (await cached()).match('/subscription'))?.json()
  const store = async (content) => (await cached()).put('/subscription', Response.json(content))
  const from = (content) => content && ({
    ...content,
    toJSON: () => content,
    unsubscribe: async () => store({ ...(await load()), isEnded: true }),
  })
  PushManager.prototype.getSubscription = async () => {
    const content = await load()
    return content && !content.isEnded ? from(content) : null
  }
  PushManager.prototype.subscribe = async (options) => {
    const count = ((await load())?.count ?? 0) + 1
    const endpoint = 'https://fcm.googleapis.com/fcm/send/' + count
    await store({ endpoint, keys: ${JSON.stringify(keys)}, count, options })
    return from(await load())
  }
}`

/** Shares a browser that shows notifications, and a service that sends them. */
export function sharedNotifications() {
  let browser: Browser
  let store: Store
  const service = sharedService({
    environment: pushEnvironment,
    changeStore: (opened) => (store = opened),
  })
  beforeAll(async () => {
    browser = await chromium.launch(chromiumOptions([], fullChromiumPath))
  })
  afterAll(() => browser.close())

  return {
    service,
    /** Returns the devices in the store. */
    devices: async () => {
      const documents = [...(await store.documents.all('followers'))]
      return documents.map(([, { value }]) => JSON.parse(value) as Record<string, unknown>)
    },
    /** Opens a page that may show notifications, or another page. */
    open: async (
      path = '/follow/device',
      { script = '', ...options }: BrowserContextOptions & { readonly script?: string } = {},
    ) => {
      const opened = await openPage(browser, options)
      const { context, page } = opened
      await context.grantPermissions(['notifications'], { origin: service().url })
      await context.addInitScript(`${stubPushService};${script}`)
      await page.goto(new URL(path, service().url).href)
      return { ...opened, section: page.locator('#device') }
    },
  }
}

/** Number of subscriptions that the page has created so far. */
export const subscriptions = (page: Page) =>
  page.evaluate<number>(
    `caches.match('/subscription').then(async (found) => (await found?.json())?.count ?? 0)`,
  )

export const startButton = (page: Page) =>
  page.getByRole('button', { name: 'Turn on notifications' })

export const start = (page: Page) => startButton(page).click()
