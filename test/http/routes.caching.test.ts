import { afterAll, expect, test } from 'vitest'
import { standardCatalog } from '../../src/feeds/catalog.ts'
import { files, monitoringRoutes, pages } from '../../src/http/routes.ts'
import { cachings, type Route } from '../../src/web/route.ts'
import { contextWith } from '../support/context.ts'
import { fewRecords } from '../support/few-records.ts'
import { followEnvironment } from '../support/following.ts'
import { startTestService } from '../support/service.ts'
import { openWebServerForFront } from '../support/web-server.ts'

/* Requests every URL as the front does, and compares the response with the list of routes. */

const service = await startTestService({
  sandbox: fewRecords,
  environment: { ...followEnvironment, DAV: 'yes' },
  openServer: openWebServerForFront,
})
afterAll(() => service[Symbol.asyncDispose]())
await service.readAll()
const wish = { feedIds: standardCatalog.linkFeeds.map(({ id }) => id), profile: 'full' } as const
const link = new URL(await service.addLink(wish)).pathname.replace(/\/$/, '')

/** URLs that need a token, a picture of a record, or a static host. Other tests request them. */
const others =
  /^\/(?:follow\/(?:confirm|manage|end)|probe|board\/images|board\/screen|board-worker)\b/

/** URLs whose content is shown only below links. */
const onlyBelowLinks = /^\/(?:members|certifications)\b/

const routes = [...pages, ...files, ...monitoringRoutes].filter(
  ({ method, path }) => method === 'get' && !others.test(path) && !onlyBelowLinks.test(path),
)

const site = contextWith({ catalog: standardCatalog })
const text = async (path: string) => (await fetch(`${service.url}${path}`)).text()
const home = await text('/')
const board = await text('/board')
const [, member] = /members\/(\d+)\.vcf/.exec(await text(`${link}/members`)) ?? []

/** Returns a path that matches the route and exists in the service. */
async function exampleOf({ path, names }: Route): Promise<string> {
  if (path.startsWith('/assets/')) {
    const pattern = new RegExp(`${path.replaceAll(/:\w+/g, '[\\w.-]+')}(?=")`)
    return pattern.exec(`${home}${board}`)?.[0] ?? path
  }
  const all = names?.(site) ?? ['']
  const name = all.find((each) => each === 'news') ?? all[0] ?? ''
  const item = new RegExp(`/${name}/(\\d+)`).exec(path.includes(':id') ? await idsOf(name) : '')
  return path
    .replace('/l/:key', link)
    .replace(':picture', '400x300-2')
    .replace(':month', '2026-03')
    .replace(':color', '1f5fbf.css')
    .replace(':size', '32')
    .replace('members/:id', `members/${member}`)
    .replace(':name', name)
    .replace(':id', item?.[1] ?? '')
}

const idsOf = (name: string) => text(`/${name}.${name === 'news' ? 'rss' : 'ics'}`)

test.for(routes)('caches $path as the list of routes says', async (route) => {
  // Some clients are limited to a request every few seconds.
  await service.clock.advance(5_000)
  const url = `${service.url}${await exampleOf(route)}`
  const { status, headers } = await fetch(url, { redirect: 'manual' })
  const { path, cached } = route
  const isBelow = path.startsWith('/l/')
  const below = cached === 'never' ? 'private, no-store' : 'private, no-cache'
  expect({
    status,
    caching: headers.get('cache-control'),
    isKept: headers.has('feedhouse-tags'),
  }).toEqual({
    status: expect.toBeOneOf([200, 301, 302]),
    caching: isBelow ? below : cachings[cached],
    isKept: cached.startsWith('front'),
  })
})
