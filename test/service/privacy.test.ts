import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishableFeeds } from '../../src/feeds/catalog.ts'
import { members } from '../../src/feeds/catalog/members.ts'
import type { Feed } from '../../src/feeds/feed.ts'
import type { LinkProfile } from '../../src/links/feed-link.ts'
import { adminEnvironment, createAdmin } from '../support/admin.ts'
import { marksBelow, marksInTexts, type FoundMarks } from '../support/everything-shown.ts'
import { filesIn, startExporting } from '../support/export.ts'
import {
  documentedMarks,
  markedCatalog,
  markedDatabase,
  markedDataset,
  memberMarks,
} from '../support/marked-dataset.ts'
import { markOf } from '../support/marked-record.ts'
import { marksIn } from '../support/marks-in-text.ts'
import { startTestService } from '../support/service.ts'
import { waitUntil } from '../support/wait-for.ts'

/*
 * Compares everything that a viewer can open with the tables in docs/feeds.md. The website has a
 * different mark in each text field, and everything that can be public is public.
 */

const { feeds, feedsOf } = markedCatalog
const idsOf = (some: readonly Feed[]) => some.map(({ id }) => id)
const publicFeedIds = idsOf(publishableFeeds)
const dataset = markedDataset()
const sandbox = { datasetOn: () => dataset }

let service: Awaited<ReturnType<typeof startTestService>>

beforeAll(async () => {
  service = await startTestService({
    publicFeedIds,
    sandbox,
    databases: [markedDatabase],
    environment: adminEnvironment,
  })
  const link = await service.addLink({ feedIds: idsOf(feeds), profile: 'full' })
  for (const { id, formats } of feeds) await fetch(`${link}${id}.${formats[0]}`)
  // People on the sign-up sheets are read later.
  await waitUntil(async () => {
    await service.clock.advance(5_000)
    const response = await fetch(`${link}signup.ics`)
    return marksIn(await response.text()).has('zqsignup_groups_slots_signedup_namezq')
  })
})

afterAll(() => service[Symbol.asyncDispose]())

/** The number of feeds with options that a client can request for the first time is limited. */
const allowMoreVariants = () => service.clock.advance(60_000)

/** Returns the marks that must not be there, with the first places of each. */
function extraMarks(found: FoundMarks, allowed: readonly string[]) {
  const extra = [...found].filter(([mark]) => !allowed.includes(mark))
  return extra.map(([mark, places]) => [mark, ...places.slice(0, 3)])
}

function differences(found: FoundMarks, allowed: readonly string[]) {
  const missing = allowed.filter((mark) => !found.has(mark))
  return { extra: extraMarks(found, allowed), missing }
}

const none = { extra: [], missing: [] }

test('shows the public exactly the documented fields, in every format and on every page', async () => {
  const found = await marksBelow(`${service.url}/`, markedCatalog, publicFeedIds)
  expect(differences(found, documentedMarks(publishableFeeds, 'public'))).toEqual(none)
})

const links: readonly {
  readonly name: string
  readonly profile: LinkProfile
  readonly feedIds: readonly string[] | undefined
}[] = [
  {
    name: 'a link to each feed, with the profile members,',
    profile: 'members',
    feedIds: idsOf(feeds),
  },
  { name: 'a link to each feed, with the profile full,', profile: 'full', feedIds: idsOf(feeds) },
  { name: 'a link that names no feeds', profile: 'full', feedIds: undefined },
  { name: 'a link to one feed', profile: 'full', feedIds: ['guestbook'] },
]

test.for(links)('shows exactly the documented fields below $name', async ({ profile, feedIds }) => {
  await allowMoreVariants()
  const readable = feedsOf({ feedIds })
  const page = await service.addLink({ profile, feedIds })
  const found = await marksBelow(page, markedCatalog, idsOf(readable))
  expect(differences(found, documentedMarks(readable, profile))).toEqual(none)
})

test('shows the contact data of members only in their own files, below a link that names them', async () => {
  await allowMoreVariants()
  const page = await service.addLink({
    profile: 'full',
    feedIds: [...idsOf(feeds), members.id],
  })
  const found = await marksBelow(page, markedCatalog, [...idsOf(feeds), members.id])
  const contacts = memberMarks()
  expect(differences(found, [...documentedMarks(feeds, 'full'), ...contacts])).toEqual(none)
  expect(contacts.length).toBeGreaterThan(10)
  const places = contacts.flatMap((mark) => found.get(mark) ?? [])
  expect(places.filter((path) => !path.startsWith(members.id))).toEqual([])
})

test('shows a member only the own certification in addition to the feeds of the link', async () => {
  const page = await service.addLink({ profile: 'members', feedIds: ['calendar'], memberId: 1 })
  const own = 'zqtraining_membercerts_certnamezq'
  await waitUntil(async () => {
    await service.clock.advance(5_000)
    const response = await fetch(`${page}my.ics`)
    return marksIn(await response.text()).has(own)
  })
  const found = await marksBelow(page, markedCatalog, ['calendar'])
  expect(
    differences(found, [...documentedMarks(feedsOf({ feedIds: ['calendar'] }), 'members'), own]),
  ).toEqual(none)
})

test('shows on the admin page only fields of the previewed profile, and names of members', async () => {
  const admin = createAdmin(service.url)
  const { cookie } = await admin.signIn()
  const marksAt = async (path: string): Promise<FoundMarks> => {
    const { status, text } = await admin.visit(path, { cookie })
    expect([path, status]).toEqual([path, 200])
    return marksInTexts([[path, text]])
  }
  for (const profile of ['public', 'members', 'full'] as const) {
    const shown = profile === 'public' ? publishableFeeds : feeds
    const found = await marksAt(`/admin/preview/${profile}`)
    expect(extraMarks(found, documentedMarks(shown, profile))).toEqual([])
    expect(found.size).toBeGreaterThan(20)
  }
  const pages = ['status', 'screens', 'settings', 'address'].map((name) => `/admin/${name}`)
  for (const path of [...pages, '/status', '/metrics']) {
    expect(extraMarks(await marksAt(path), [])).toEqual([])
  }
  const names = ['firstName', 'middleInitial', 'lastName', 'rank'].map((field) =>
    markOf(field, 'members_').toLowerCase(),
  )
  for (const path of ['/admin', '/admin/links/new']) {
    expect(extraMarks(await marksAt(path), names)).toEqual([])
  }
})

test('exports exactly the documented fields of public feeds', async () => {
  const exporting = await startExporting({ sandbox, publicFeedIds })
  await exporting.once()
  const texts = [...filesIn(exporting.directory)].map(([name, { text }]) => [name, text] as const)
  expect(differences(marksInTexts(texts), documentedMarks(publishableFeeds, 'public'))).toEqual(
    none,
  )
})

test('writes no fields to the log', () => {
  expect(extraMarks(marksInTexts([['log', service.lines.join('')]]), [])).toEqual([])
})

test.for([
  'zqnews_textzq',
  'DESCRIPTION:a zqne\r\n ws_textzq',
  '&#x7a;&#113;news_textzq',
  'zq<wbr>news_<b>text</b>zq',
  '%7aqnews_textzq',
  String.raw`{"text":"\u007aqnews_textzq"}`,
  `data:text/plain;base64,${Buffer.from('some zqnews_textzq text').toString('base64')}`,
])('finds the mark in %s', (text) => {
  expect([...marksIn(text)]).toEqual(['zqnews_textzq'])
})
