import { randomBytes } from 'node:crypto'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { standardCatalog } from '../../src/feeds/catalog.ts'
import { errorHandler, notFound } from '../../src/web/error-handler.ts'
import { linkGate, viewerByKey } from '../../src/web/link-gate.ts'
import { createLinkRegistry } from '../../src/links/link-registry.ts'
import { addLink } from '../../src/links/stored-links.ts'
import { createLogger } from '../../src/log.ts'
import { applicationFor, contextWith } from '../support/context.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { testSite } from '../support/site.ts'
import { openTestStore } from '../support/store.ts'

const site = { site: testSite, catalog: standardCatalog, publicFeeds: [] }
const ignore = () => undefined
const wish = {
  label: 'New',
  feedIds: undefined,
  profile: 'members',
  expiresAt: undefined,
} as const

test('never reports a link as unknown while the store is down', async () => {
  const clock = createFakeClock()
  const { documents } = openTestStore(clock.now)
  let isReachable = false
  const get: typeof documents.get = async (...document) => {
    if (!isReachable) throw new Error('out of order')
    return documents.get(...document)
  }
  const links = createLinkRegistry({ ...documents, get }, clock.now, ignore)
  const application = applicationFor(contextWith({ ...site, links, clock }))
    .use(linkGate)
    .use(notFound)
    .use(errorHandler(createLogger('silent'), ignore))
  await expect(links.pull()).rejects.toThrow('out of order')
  for (let time = 0; time < 30; time += 1) {
    await supertest(application).get('/l/nobody/').expect(503).expect('Retry-After', '5')
  }
  isReachable = true
  await links.pull()
  await supertest(application).get('/l/nobody/').expect(404)
})

test('accepts a link as soon as another process has created it', async () => {
  const clock = createFakeClock()
  const { documents } = openTestStore(clock.now)
  const links = createLinkRegistry(documents, clock.now, ignore)
  await links.pull()
  const application = applicationFor(contextWith({ ...site, links, clock }))
    .use(linkGate)
    .use((_request, response) => void response.send('let in'))
  const added = await addLink(documents, wish, { now: clock.now(), random: randomBytes })
  const key = added.ok ? added.key : ''
  expect((await supertest(application).get(`/l/${key}/`)).text).toBe('let in')
})

test('looks up the language of a notice only for a link that is paused or has ended', async () => {
  const clock = createFakeClock()
  const { documents } = openTestStore(clock.now)
  const links = createLinkRegistry(documents, clock.now, ignore)
  const expiring = { ...wish, expiresAt: clock.now() + 1 }
  const added = await addLink(documents, expiring, { now: clock.now(), random: randomBytes })
  await links.pull()
  let lookups = 0
  const translated = {
    ...testSite,
    get language() {
      lookups += 1
      return testSite.language
    },
  }
  const viewerOf = viewerByKey(contextWith({ ...site, site: translated, links, clock }))
  const viewer = () => viewerOf(added.ok ? added.key : '', '/?lang=de')
  expect([(await viewer())?.closed, lookups]).toEqual([undefined, 0])
  await clock.advance(1)
  expect((await viewer())?.closed?.notice.title).toMatch(/abgelaufen|gültig/)
})
