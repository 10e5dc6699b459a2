import { expect, test } from 'vitest'
import { publishableFeeds } from '../../src/feeds/catalog.ts'
import { members } from '../../src/feeds/catalog/members.ts'
import type { Feed } from '../../src/feeds/feed.ts'
import type { FeedFormat } from '../../src/feeds/formats.ts'
import { published } from '../../src/feeds/published.ts'
import type { LinkProfile } from '../../src/links/feed-link.ts'
import { adminEnvironment, createAdmin } from '../support/admin.ts'
import { filesIn, startExporting } from '../support/export.ts'
import { markOf } from '../support/marked-record.ts'
import { sharedService } from '../support/shared-service.ts'
import { waitUntil } from '../support/wait-for.ts'
import {
  documentedMarks,
  markedCatalog,
  markedDatabase,
  markedDataset,
  marksIn,
  memberMarks,
} from './marked-website.ts'

/*
 * Compares everything that a viewer can open with the tables in docs/feeds.md. The website has a
 * different mark in each text field, and everything that can be public is public.
 */

const { feeds, combinedFeeds, feedsOf } = markedCatalog
const idsOf = (some: readonly Feed[]) => some.map(({ id }) => id)
const publicFeedIds = idsOf(publishableFeeds)
const dataset = markedDataset()
const sandbox = { datasetOn: () => dataset }
const options = {
  publicFeedIds,
  sandbox,
  databases: [markedDatabase],
  environment: adminEnvironment,
}

const service = sharedService(options, async (service) => {
  const link = await service.addLink({ feedIds: idsOf(feeds), profile: 'full' })
  for (const { id, formats } of feeds) await fetch(`${link}${id}.${formats[0]}`)
  // People on the sign-up sheets are read later.
  await waitUntil(async () => {
    await service.clock.advance(5_000)
    const response = await fetch(`${link}signup.ics`)
    return marksIn(await response.text()).has('zqsignup_groups_slots_signedup_namezq')
  })
})

/** The number of feeds with options that a client can request for the first time is limited. */
const allowMoreVariants = () => service().clock.advance(60_000)

/** Places where each mark was found. */
type FoundMarks = ReadonlyMap<string, readonly string[]>

/** Returns the marks in texts, with the names of those texts. */
function marksInTexts(texts: readonly (readonly [name: string, text: string])[]): FoundMarks {
  const found = new Map<string, string[]>()
  for (const [name, text] of texts) {
    for (const mark of marksIn(text)) found.set(mark, [...(found.get(mark) ?? []), name])
  }
  return found
}

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
  const found = await marksBelow(`${service().url}/`, publicFeedIds)
  expect(differences(found, documentedMarks(publishableFeeds, 'public'))).toEqual(none)
})

test.for<[name: string, profile: LinkProfile, feedIds?: readonly string[]]>([
  ['a link to each feed, with the profile members,', 'members', idsOf(feeds)],
  ['a link to each feed, with the profile full,', 'full', idsOf(feeds)],
  ['a link that names no feeds', 'full'],
  ['a link to one feed', 'full', ['guestbook']],
])('shows exactly the documented fields below %s', async ([, profile, feedIds]) => {
  await allowMoreVariants()
  const readable = feedsOf({ feedIds })
  const page = await service().addLink({ profile, feedIds })
  const found = await marksBelow(page, idsOf(readable))
  expect(differences(found, documentedMarks(readable, profile))).toEqual(none)
})

test('shows the contact data of members only in their own files and in searches, below a link that names them', async () => {
  await allowMoreVariants()
  const page = await service().addLink({
    profile: 'full',
    feedIds: [...idsOf(feeds), members.id],
  })
  const found = await marksBelow(page, [...idsOf(feeds), members.id])
  const contacts = memberMarks()
  expect(differences(found, [...documentedMarks(feeds, 'full'), ...contacts])).toEqual(none)
  expect(contacts.length).toBeGreaterThan(10)
  const places = contacts.flatMap((mark) => found.get(mark) ?? [])
  const own = new RegExp(`^(?:${members.id}|search)`)
  expect(places.filter((path) => !own.test(path))).toEqual([])
})

test('shows a member only the own first name and certification in addition to the feeds of the link', async () => {
  const page = await service().addLink({ profile: 'members', feedIds: ['calendar'], memberId: 1 })
  const own = 'zqtraining_membercerts_certnamezq'
  const name = markOf('firstName', 'members_').toLowerCase()
  await waitUntil(async () => {
    await service().clock.advance(5_000)
    const response = await fetch(`${page}my.ics`)
    return marksIn(await response.text()).has(own)
  })
  const found = await marksBelow(page, ['calendar'])
  expect(
    differences(found, [
      ...documentedMarks(feedsOf({ feedIds: ['calendar'] }), 'members'),
      own,
      name,
    ]),
  ).toEqual(none)
})

test('shows on the admin page only fields of the previewed profile, and names of members', async () => {
  const admin = createAdmin(service().url)
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
  expect(extraMarks(marksInTexts([['log', service().lines.join('')]]), [])).toEqual([])
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

/** Reads everything below a page, including errors. Returns the marks in bodies and headers. */
async function marksBelow(page: string, feedIds: readonly string[]): Promise<FoundMarks> {
  const texts: [string, string][] = []
  for (const path of [...paths(), ...boardsOf(feedIds)]) {
    const response = await fetch(`${page}${path}`)
    texts.push([path, `${JSON.stringify([...response.headers])}\n${await response.text()}`])
  }
  return marksInTexts(texts)
}

const fixedPaths = `
  ?feed=x feeds feeds.opml agenda month/2026-03 month/2026-04 news news?q=zq search search?q=zq rental/free poster
  embed/next embed/month board?changes=1&duty=1 status readyz metrics nothing
  members members.vcf members.vcf?version=4.0 members.csv members/1.vcf
  forum.rss?topic=1 forum.atom?topic=1 forum.json?topic=1 forum.rss?topic=2`

/** Returns all kinds of paths below a page. Not every viewer may open them, and some do not exist. */
function paths() {
  return [
    '',
    ...fixedPaths.trim().split(/\s+/),
    ...[...feeds, ...combinedFeeds, published].flatMap(({ id, formats }) =>
      formats.flatMap((format) => queriesFor(format).map((query) => `${id}.${format}${query}`)),
    ),
    ...feeds.flatMap(({ id, formats: [format] }) => [
      `${id}/1`,
      `${id}/1.ics`,
      `${id}/3`,
      `${id}.${format}?past=x&limit=x`,
      `feeds?feed=${id}`,
      `agenda?show=${id}`,
      `embed/${id}`,
      `embed/${id}?layout=cards`,
      `embed/${id}?layout=month`,
      `board.json?show=${id}`,
    ]),
  ]
}

/** Returns the options that could show more. */
function queriesFor(format: FeedFormat): readonly string[] {
  return ['', format === 'ics' ? '?cancelled=mark&changes=note' : '?content=summary']
}

function boardsOf(feedIds: readonly string[]): readonly string[] {
  const boards = ['board', 'board.json', 'board.rss', 'board/concerto.json', 'board/new']
  return [...boards, ...boards.map((path) => `${path}?show=${feedIds.join(',')}`)]
}
