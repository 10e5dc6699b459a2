import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { pseudoLanguage } from '../../src/records/messages.ts'
import { standardCatalog } from '../../src/feeds/catalog.ts'
import { members } from '../../src/feeds/catalog/members.ts'
import { plusDays } from '../../src/sandbox/site-dates.ts'
import { databaseFrom, gearSetting } from '../support/database-settings.ts'
import { fewOn } from '../support/few-records.ts'
import { adminEnvironment, createAdmin, newLinkForm } from '../support/admin.ts'
import { filesIn, startExporting } from '../support/export.ts'
import { startTestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'
import { waitUntil } from '../support/wait-for.ts'
import { foreignText, inForeignLetters, textsIn, textsInHtml, untranslated } from './own-text.ts'

const newPlace = foreignText('Station 2')
const today = '2026-03-05'
const refreshMs = 6 * 60_000

const records = inForeignLetters(fewOn(today))
const [moved, offline, deleted] = records.events.filter(
  ({ status, startDate }) => status === 2 && startDate > plusDays(today, 1),
)
const website = { records }

/** The website's records after one event was moved, another taken offline, and a third deleted. */
const changed = {
  ...records,
  events: records.events.flatMap((event) => {
    if (event === deleted) return []
    if (event === offline) return [{ ...event, status: 1 as const }]
    return [event === moved ? { ...event, location: newPlace, startTime: '15:30:00' } : event]
  }),
}

const links = { members: '', full: '', expired: '', paused: '', revoked: '' }

const inPseudoLanguage = {
  environment: adminEnvironment,
  language: pseudoLanguage,
  siteName: foreignText('Cedar Hollow'),
  identity: { place: foreignText('Cedar Hollow') },
}

const service = sharedService(
  {
    ...inPseudoLanguage,
    databases: [databaseFrom(gearSetting)],
    sandbox: { datasetOn: () => website.records },
  },
  async ({ clock, readAll, addLink, get, url }) => {
    await readAll()
    website.records = changed
    await clock.advance(refreshMs)
    await readAll()
    const label = foreignText('Robin')
    const member = { profile: 'members', memberId: records.members[0]?.id } as const
    const feedIds = [...standardCatalog.feeds, members].map(({ id }) => id)
    links.members = await addLink({ label, ...member })
    links.full = await addLink({ label, profile: 'full', feedIds })
    links.expired = await addLink({ label, expiresAt: clock.now() + 1000 })
    const admin = await createAdmin(url).signIn()
    for (const [state, action] of [
      ['paused', 'pause'],
      ['revoked', 'revoke'],
    ] as const) {
      const form = newLinkForm({ label })
      const { text } = await admin.submit('/admin/links', form)
      links[state] = /http:\S+\/l\/[a-z2-7]{32}\//.exec(text)?.[0] ?? ''
      await admin.submit(`/admin/links/${form.id}/${action}`)
    }
    // Checking an address repeats requests for feeds without a date. They have one after a second.
    for (const { id, formats } of standardCatalog.feeds)
      await get(`${links.full}${id}.${formats[0]}`)
    await clock.advance(2000)
    await waitUntil(async () => (await get(`/events/${moved?.id}`)).text.includes(newPlace))
  },
)

type Area = {
  readonly name: string
  readonly status?: number
  /** Paths on the public site or under feed links. */
  readonly paths: () => readonly string[]
}

const words = (text: string) => text.trim().split(/\s+/)
const below = (link: keyof typeof links, paths: string) =>
  ['', ...words(paths)].map((path) => `${links[link]}${path}`)
const calendarFeeds = standardCatalog.feeds.filter(({ formats }) => formats.includes('ics'))
const listsIn = (format: string) =>
  [...standardCatalog.feeds, ...standardCatalog.combinedFeeds]
    .filter(({ formats }) => formats.some((each) => each === format))
    .map(({ id }) => `${id}.${format}`)

const areas: readonly Area[] = [
  { name: 'home page', paths: () => ['/', '/?feed=x'] },
  {
    name: 'home page of a link',
    paths: () => [...below('members', '?done=saved'), ...below('full', '')],
  },
  {
    name: 'feeds and addresses',
    paths: () => [
      ...words('/feeds /feeds?feed=events /feeds?feed=all /feeds?feed=all&q=-zq&place=zq'),
      ...words('/feeds?feed=events&q=z+z+z+z+z+z+z+z+z /feeds?feed=website&embed=news&q=zq'),
      ...below('full', 'feeds feeds?feed=rental'),
    ],
  },
  {
    name: 'check of an address',
    paths: () => ['/feeds?check=1', `${links.full}feeds?check=1`],
  },
  {
    name: 'agenda',
    paths: () => [
      ...words('/agenda /agenda?show=events /agenda?from=2026-02-01 /agenda?from=2029-01-01'),
      `${links.full}agenda`,
    ],
  },
  {
    name: 'searches',
    paths: () => [...words('/search /search?q=drill /search?q=zq'), `${links.full}search?q=555`],
  },
  {
    name: 'months',
    paths: () => [...words('/month/2026-03 /month/2026-11'), `${links.full}month/2026-03`],
  },
  {
    name: 'entries',
    paths: () => [
      `/events/${moved?.id}`,
      ...(['calendar', 'rental', 'signup'] as const).map(
        (name) => `${links.full}${name}/${idIn(name)}`,
      ),
    ],
  },
  {
    name: 'items',
    paths: () =>
      (['news', 'minutes', 'documents', 'guestbook'] as const).map(
        (name) => `${links.full}${name}/${idIn(name)}`,
      ),
  },
  {
    name: 'news and other archives',
    paths: () => [
      ...words('/news /news?q=zq /news?month=2026-02 /news?category=1 '),
      ...words('minutes documents').map((name) => `${links.full}${name}`),
    ],
  },
  { name: 'free days', paths: () => ['/rental/free'] },
  { name: 'poster', paths: () => ['/poster'] },
  {
    name: 'lists to embed',
    paths: () =>
      words(
        '/embed/next /embed/month /embed/events /embed/news /embed/events?layout=cards /embed/news?layout=cards /embed/signup',
      ),
  },
  {
    name: 'members',
    paths: () => words('members members.vcf members.csv').map((path) => `${links.full}${path}`),
  },
  {
    name: 'boards',
    paths: () => [
      ...words('/board /board?changes=1&duty=1 /board.json /board.rss /board/concerto.json'),
      `${links.full}board`,
    ],
  },
  {
    name: 'board composer',
    paths: () => ['/board/new', '/board/new?q=-zq', `${links.full}board/new`],
  },
  {
    name: 'calendars',
    paths: () => [
      ...calendarFeeds.map(({ id }) => `${links.full}${id}.ics`),
      ...words('all.ics my.ics').map((name) => `${links.members}${name}`),
      ...words(
        '/all.ics?prefix=1 /all.ics?prefix=emoji /events.ics?cancelled=mark&changes=note&alarm=15',
      ),
    ],
  },
  {
    name: 'news feeds',
    paths: () =>
      ['rss', 'atom', 'json'].flatMap((format) =>
        listsIn(format).map((path) => {
          return path.startsWith('digest.') ? `/${path}` : `${links.full}${path}`
        }),
      ),
  },
  {
    name: 'list of feeds',
    paths: () => ['/feeds.opml', `${links.full}feeds.opml`],
  },
  {
    name: 'events that are gone',
    status: 410,
    paths: () => [`/events/${offline?.id}`, `/events/${deleted?.id}`],
  },
  {
    name: 'links that have ended',
    paths: () =>
      (['expired', 'paused', 'revoked'] as const).flatMap((state) => [
        links[state],
        ...words('events.ics news.rss board board.json').map((path) => `${links[state]}${path}`),
      ]),
  },
  {
    name: 'unknown addresses',
    status: 404,
    paths: () => words('/nothing /l/nobody/ /l/nobody/news.rss'),
  },
  { name: 'private feeds', status: 403, paths: () => words('/minutes.rss') },
  {
    name: 'invalid options',
    status: 400,
    paths: () =>
      words(
        '/events.ics?past=x /events.ics?alarm=x /news.rss?limit=x /calendar.ics?calendar=x /board?theme=x /agenda?from=x',
      ),
  },
]

test.for(areas)('translates every text: $name', async ({ paths, status = 200 }) => {
  const answers = await answersFor(paths())
  expect([...new Set(answers.map((answer) => answer.status))]).toEqual([status])
  expect(answers.flatMap(({ found }) => found)).toEqual([])
})

test('translates responses before the first read of the website, and an emergency text', async () => {
  await using cold = await startTestService({ ...inPseudoLanguage, sandbox: { apiEnabled: false } })
  const before = await answersFor(
    words('/ /feeds /agenda /events.ics /news.rss /board /board.json'),
    cold,
  )
  expect(new Set(before.map(({ status }) => status))).toContain(503)
  const admin = await createAdmin(cold.url).signIn()
  const emergency = {
    title: foreignText('Storm'),
    text: '',
    until: '2026-03-05T18:00',
    screens: 'on',
  }
  await admin.submit('/admin/screens', emergency)
  const after = await answersFor(words('/board /board.json /board.rss'), cold)
  expect([...before, ...after].flatMap(({ found }) => found)).toEqual([])
})

test('translates the files for a static host', async () => {
  const sandbox = { datasetOn: () => changed }
  const { site, once, directory } = await startExporting({ sandbox })
  const { language, siteName: name } = inPseudoLanguage
  const translated = { ...site, name, language }
  await once(false, { site: translated })
  const types = { html: 'html', ics: 'calendar', rss: 'xml', atom: 'xml', 'board.json': 'json' }
  const found = [...filesIn(directory)].flatMap(([file, { text }]) => {
    const type = Object.entries(types).find(([extension]) => file.endsWith(extension))?.[1]
    const utf8 = Buffer.from(text, 'latin1').toString()
    return untranslated(textsIn(type ?? '', utf8)).map((each) => `${file}: ${each}`)
  })
  expect(found).toEqual([])
})

/** Requests paths, and returns the texts that are not translated. */
async function answersFor(paths: readonly string[], { get } = service()) {
  return Promise.all(
    paths.map(async (path) => {
      const { status, headers, text } = await get(path, { accept: 'text/html, */*' })
      const texts = untranslated(textsIn(headers.get('content-type') ?? '', text))
      const short = path.replace(/.*\/l\/[^/]*\//, 'LINK/')
      return { status, found: texts.map((each) => `${short}: ${each}`) }
    }),
  )
}

/** Returns the id of a record that is shown. */
function idIn(
  name:
    'calendar' | 'events' | 'rental' | 'signup' | 'news' | 'minutes' | 'documents' | 'guestbook',
) {
  const shown = (records[name] as readonly ShownRecord[]).findLast(
    ({ status = 2, deployed = 1, date = '' }) => status === 2 && deployed === 1 && date < today,
  )
  return shown?.id
}

type ShownRecord = {
  readonly id: number
  readonly status?: number
  readonly deployed?: number
  readonly date?: string
}

/** Templates of the status, of pages of several sites, and of the sandbox. */
const inEnglish = /^(?:hosting|monitoring|sandbox)\//

test('keeps texts out of the templates of pages for readers', () => {
  const cwd = resolve(import.meta.dirname, '../../templates')
  const templates = globSync('**/*.eta', { cwd }).filter((file) => !inEnglish.test(file))
  expect(templates.length).toBeGreaterThan(30)
  const found = templates.flatMap((file) => {
    const html = readFileSync(join(cwd, file), 'utf8').replaceAll(/<%[^]*?%>/g, '0')
    return untranslated(textsInHtml(html)).map((text) => `${file}: ${text}`)
  })
  expect(found).toEqual([])
})
