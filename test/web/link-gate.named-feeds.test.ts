import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import { afterAll, expect, test } from 'vitest'
import { databaseFrom } from '../support/database-settings.ts'
import { readCalendar } from '../support/read-calendar.ts'
import { startTestService } from '../support/service.ts'

const databases = [databaseFrom('gear=2 title:{serial} date:retire')]
const service = await startTestService({ publicFeedIds: ['news', 'minutes'], databases })
afterAll(() => service[Symbol.asyncDispose]())

const statusOf = async (url: string) => (await fetch(url)).status
const textOf = async (url: string) => (await fetch(url)).text()

test('a link to all feeds neither includes nor reads feeds that must be named', async () => {
  const link = await service.addLink({ profile: 'full' })
  expect(await statusOf(`${link}calendar.ics`)).toBe(200)
  for (const id of ['documents', 'gear']) {
    for (const path of [`${id}.rss`, `${id}/2`, `embed/${id}`, `board?show=${id}`]) {
      expect([path, await statusOf(`${link}${path}`)]).toEqual([path, 403])
    }
  }
  expect(await textOf(`${link}gear.ics`)).toContain('does not include this feed.')
  expect(await textOf(`${service.url}/gear.ics`)).toContain('This feed is not public.')
  for (const path of ['', 'feeds', 'feeds.opml', 'my.rss']) {
    expect(await textOf(`${link}${path}`)).not.toMatch(/Bylaws|gear\.ics|CHV-/)
  }
  for (const name of ['documents', 'databases/2']) {
    expect(await service.resourcesRead()).not.toContain(name)
  }
})

test('serves a feed that must be named in every format under a link that names it', async () => {
  const link = await service.addLink({ feedIds: ['documents'], profile: 'members' })
  const { items: fromRss = [] } = parseRssFeed(await textOf(`${link}documents.rss`))
  const { entries: fromAtom = [] } = parseAtomFeed(await textOf(`${link}documents.atom`))
  const { items: fromJson = [] } = parseJsonFeed(await textOf(`${link}documents.json`))
  expect(fromRss.map(({ title }) => title)).toContain('SOG 101: Response and staffing')
  expect(fromAtom.map(({ title }) => title?.value)).toContain('SOG 101: Response and staffing')
  expect(fromJson.map(({ tags }) => tags)).toContainEqual(['Standard Operating Guidelines'])
  expect(await textOf(`${link}documents/1`)).toContain('bylaws.pdf (PDF, 178 KB)')
  expect(await textOf(`${link}feeds`)).toContain('documents.rss')
  expect(await textOf(link)).toContain('SOG 204')
  expect(await service.resourcesRead()).toContain('documents')
})

test('shows only public records of a public feed to everyone', async () => {
  const link = await service.addLink({ feedIds: ['minutes'], profile: 'members' })
  const everything = await textOf(`${link}minutes.rss?limit=200`)
  expect(everything).toContain('Officers’ meeting')
  for (const path of ['minutes.rss', 'minutes.atom', 'minutes.json', 'feeds', 'embed/minutes']) {
    const text = await textOf(`${service.url}/${path}`)
    expect(text).toContain('Monthly business meeting')
    expect(text).not.toContain('Officers’')
  }
  const [, privateId = ''] = /minutes-(\d+2)</.exec(everything) ?? []
  expect(await statusOf(`${link}minutes/${privateId}`)).toBe(200)
  expect(await statusOf(`${service.url}/minutes/${privateId}`)).toBe(410)
})

/** Returns the feeds and roles of the items on a board, which is public by default. */
async function kindsOn(query: string, base = `${service.url}/`): Promise<readonly string[]> {
  const items: readonly { readonly kind: string; readonly role: string }[] = JSON.parse(
    await textOf(`${base}board.json${query}`),
  )
  return [...new Set(items.map(({ kind, role }) => `${kind} ${role}`))]
}

test('a board shows a feed that must be named only if its address names it', async () => {
  expect(await kindsOn('')).toEqual(['news story'])
  expect(await kindsOn('?show=minutes')).toEqual(['minutes post'])
})

test('offers no archive of news for posts', async () => {
  const link = await service.addLink({ feedIds: ['minutes'] })
  expect(await statusOf(`${link}news`)).toBe(404)
})

test('serves certifications only to feed links that name them, and reads them only then', async () => {
  const all = await service.addLink({ profile: 'full' })
  expect(await statusOf(`${all}training.ics`)).toBe(403)
  expect(await service.resourcesRead()).not.toContain('training/membercerts')
  const link = await service.addLink({ feedIds: ['training'], profile: 'full' })
  const { events } = readCalendar(await textOf(`${link}training.ics`))
  expect(events.map(({ summary }) => summary)).toContain('Jordan Reyes: Hazmat Operations expires')
  expect(readCalendar(await textOf(`${link}my.ics`)).events).toHaveLength(events.length)
  expect(await textOf(`${link}feeds`)).toContain('EMT-Basic')
  const [id = ''] = events.flatMap(({ uid }) => /^training-(\d+)@/.exec(uid)?.[1] ?? [])
  expect(await textOf(`${link}training/${id}`)).toContain('Certificate number')
  expect(await statusOf(`${link}training/${id}.ics`)).toBe(200)
  expect(await statusOf(`${service.url}/training.ics`)).toBe(403)
  expect(await service.resourcesRead()).toContain('training/membercerts')
})

test('a board of a link shows certifications, minutes and documents only if its address names them', async () => {
  const feedIds = ['training', 'minutes', 'documents']
  const link = await service.addLink({ feedIds: ['news', ...feedIds] })
  const show = `show=${feedIds.join(',')}`
  expect(await kindsOn('', link)).toEqual(['news story'])
  expect((await kindsOn(`?${show}`, link)).toSorted()).toEqual([
    'documents post',
    'minutes post',
    'training agenda',
  ])
  const composer = await textOf(`${link}board/new?submitted=1&${show}`)
  for (const id of feedIds) expect(composer).toContain(`name="show" value="${id}" checked`)
  for (const id of ['training', 'documents']) {
    expect(await statusOf(`${service.url}/board?show=${id}`)).toBe(403)
  }
})

test.for([
  ['the public', 'board?show=x', 'show must be one or more of news, minutes.'],
  ['the public', 'all.ics?show=x', 'The feed "All in one" is not public.'],
  ['a link', 'board?show=x', 'show must be one or more of events, documents.'],
  ['a link', 'my.ics?show=x', 'a list of the feeds events, and "x" is not one of them.'],
  ['a link', 'my.ics?alarm=x', 'as many after each of events, like alarm=60,events:30.1440.'],
  ['a link', 'my.rss?show=x', 'a list of the feeds events and documents, and "x" is not'],
] as const)('names to %s only its own feeds at %s', async ([reader, path, sentence]) => {
  const link = await service.addLink({ feedIds: ['events', 'documents'] })
  const text = await textOf(`${reader === 'a link' ? link : `${service.url}/`}${path}`)
  expect(text).toContain(sentence)
  expect(text).not.toContain('gear')
})
