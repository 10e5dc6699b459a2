import type { Browser, Page } from 'playwright-core'
import type { Dataset } from '../../../src/sandbox/resources/resources.ts'
import { plusDays } from '../../../src/sandbox/site-dates.ts'
import { expect } from 'vitest'
import { standardCatalog } from '../../../src/feeds/catalog.ts'
import { training } from '../../../src/feeds/catalog/training.ts'
import { adminEnvironment } from '../../support/admin.ts'
import { openPage, signIn } from '../../support/browser.ts'
import { followEnvironment } from '../../support/following.ts'
import { freePort } from '../../support/free-port.ts'
import { pageRecords, today } from './page-records.ts'
import { startTestService } from '../../support/service.ts'
import { waitUntil } from '../../support/wait-for.ts'

const refreshMs = 6 * 60_000

const officersFeeds = [...standardCatalog.feedsOf({ feedIds: undefined }), training]

/** A link with certifications, which are not part of links to all feeds. */
const officer = { profile: 'full', feedIds: officersFeeds.map(({ id }) => id) } as const

/** Place of the event that was moved. */
const newPlace = 'Station 2'

/** The console reports these for pages that are meant to have such a status. */
const expectedComplaint = /status of 4(?:04|10)/

export type PageSite = Awaited<ReturnType<typeof startEveryPage>>

/**
 * Starts a service whose website has these records, with feed links, and with events that were moved,
 * taken offline and deleted. The website is in `language`. Returns the pages that have an address.
 */
export async function startEveryPage(name: keyof typeof pageRecords, language = 'en-US') {
  const { siteName, place, records, labels } = pageRecords[name]()
  const { changed, ...events } = withChanges(records)
  let current = records
  const port = await freePort()
  const address = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` }
  const service = await startTestService({
    environment: { ...adminEnvironment, ...followEnvironment, ...address },
    siteName,
    language,
    identity: { place },
    sandbox: { datasetOn: () => current },
  })
  await readEverything(service)
  current = changed
  await readEverything(service)
  const page = `${service.url}/events/${events.moved?.id}`
  if (events.moved) {
    await waitUntil(async () => (await (await fetch(page)).text()).includes(newPlace))
  }
  const memberLink = await service.addLink({ label: 'Member', memberId: records.members[0]?.id })
  const officerLink = await service.addLink({ ...officer, label: 'Officer' })
  const [link] = await Promise.all(
    labels.map((label) => service.addLink({ label, profile: 'full' })),
  )
  const expiresAt = service.clock.now() + 1000
  const endedLink = await service.addLink({ label: 'Ended', expiresAt })
  await service.clock.advance(2000)
  const links = { link: link ?? '', memberLink, officerLink, endedLink }
  const roots = { root: `${service.url}/`, ...links }
  const addresses = addressesOf(changed, events, roots)
  return {
    service,
    addresses,
    labels,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

/** Reads the website again. Many records take several minutes, because calls are limited. */
async function readEverything(service: Awaited<ReturnType<typeof startTestService>>) {
  await service.clock.advance(refreshMs)
  let isRead = false
  const reading = service.readAll().then(() => (isRead = true))
  await waitUntil(async () => {
    await service.clock.advance(1000)
    return isRead
  })
  await reading
  const { collections } = await service.status()
  expect(collections.filter(({ records }) => records === null)).toEqual([])
}

/** Moves an event, takes another one offline and deletes a third. */
function withChanges(records: Dataset) {
  const [moved, offline, deleted, unchanged] = records.events.filter(
    ({ status, startDate }) => status === 2 && startDate > plusDays(today, 1),
  )
  const events = records.events.flatMap((event) => {
    if (event === deleted) return []
    if (event === offline) return [{ ...event, status: 1 as const }]
    if (event !== moved) return [event]
    const date = plusDays(event.startDate, 1)
    const time = { allDay: 0, startTime: '15:30:00', endTime: '17:00:00' } as const
    return [{ ...event, ...time, startDate: date, endDate: date, location: newPlace }]
  })
  return { changed: { ...records, events }, moved, offline, deleted, unchanged }
}

/** Returns the pages that open without a form, by name. */
function addressesOf(
  { news, signup }: Dataset,
  { moved, offline, deleted, unchanged }: Omit<ReturnType<typeof withChanges>, 'changed'>,
  {
    root,
    link,
    memberLink,
    officerLink,
    endedLink,
  }: Readonly<Record<'root' | 'link' | 'memberLink' | 'officerLink' | 'endedLink', string>>,
): Readonly<Record<string, string>> {
  const published = news.filter(({ deployed, date }) => deployed === 1 && date < today)
  const story = published.findLast(({ images }) => images.length > 0) ?? published.at(-1)
  const sheet = signup.find(({ status, date }) => status === 2 && date > today)
  const month = `month/${today.slice(0, 7)}`
  const itemPages = [
    ['story', 'news', story],
    ['event', 'events', unchanged],
    ['event-moved', 'events', moved],
    ['event-offline', 'events', offline],
    ['event-deleted', 'events', deleted],
    ['sign-up', 'signup', sheet],
  ] as const
  const items = itemPages.flatMap(([name, feed, record]) =>
    record ? [[name, `${feed}/${record.id}`] as const] : [],
  )
  const open = { home: '', feeds: 'feeds', agenda: 'agenda', month, news: 'news' }
  const publicPages = {
    ...open,
    ...Object.fromEntries(items),
    'free-days': 'rental/free',
    poster: 'poster',
    board: 'board',
    'board-new': 'board/new',
    'embed-events': 'embed/events',
    'embed-news': 'embed/news',
    'not-found': 'nothing-here',
    'unknown-link': 'l/nobody/',
    'admin-links': 'admin',
    'admin-new-link': 'admin/links/new',
    'admin-link-import': 'admin/links/list',
    'admin-status': 'admin/status',
    'admin-preview-public': 'admin/preview/public',
    'admin-preview-full': 'admin/preview/full',
    'admin-screens': 'admin/screens',
    'admin-settings': 'admin/settings',
    'admin-databases': 'admin/databases?database=2',
    'admin-address': 'admin/address',
  }
  const linkPages = {
    ...open,
    search: 'search?q=crew',
    doctor: 'feeds?check=1#doctor',
    'board-new': 'board/new',
  }
  const memberPages = { home: '', agenda: 'agenda?show=personal' }
  const officerPages = { roster: 'roster', certifications: 'certifications' }
  const endedPages = { notice: '', board: 'board' }
  return Object.fromEntries([
    ...Object.entries(publicPages).map(([name, path]) => [name, `${root}${path}`]),
    ...Object.entries(linkPages).map(([name, path]) => [`link-${name}`, `${link}${path}`]),
    ...Object.entries(officerPages).map(([name, path]) => [
      `officer-${name}`,
      `${officerLink}${path}`,
    ]),
    ...Object.entries(memberPages).map(([name, path]) => [
      `member-${name}`,
      `${memberLink}${path}`,
    ]),
    ...Object.entries(endedPages).map(([name, path]) => [
      `ended-link-${name}`,
      `${endedLink}${path}`,
    ]),
  ])
}

/** Checks the current page, given its name and the unexpected messages on its console. */
type Look = (page: Page, name: string, complaints: readonly string[]) => Promise<void>

/** Opens every page, and calls `look` with each. Two browser contexts share the pages. */
export async function visitEveryPage(browser: Browser, site: PageSite, look: Look): Promise<void> {
  const pages = Object.entries(site.addresses)
  const adminPages = pages.filter(([name]) => name.startsWith('admin-'))
  const otherPages = pages.filter((page) => !adminPages.includes(page))
  const visitOthers = async ({ visitAddress }: Visitor) => {
    for (let next = otherPages.shift(); next; next = otherPages.shift()) await visitAddress(...next)
  }
  // The admin pages show the links that the forms create, so one visitor opens both, in order.
  const visitAdminPages = async () => {
    const visitor = await openVisitor(browser, site, look)
    await visitor.visitAddress('admin-sign-in', `${site.service.url}/admin`)
    await visitor.signIn()
    for (const page of adminPages) await visitor.visitAddress(...page)
    await visitForms(visitor, site)
    await visitOthers(visitor)
  }
  const visitOtherPages = async () => {
    const visitor = await openVisitor(browser, site, look)
    await visitor.signIn()
    await visitOthers(visitor)
  }
  await Promise.all([visitAdminPages(), visitOtherPages()])
}

type Visitor = Awaited<ReturnType<typeof openVisitor>>

/** Opens a browser context that visits one page at a time. */
async function openVisitor(browser: Browser, { service }: PageSite, look: Look) {
  const { page, context, complaints } = await openPage(browser, {
    // While a board fades to its next page, neither has its colors.
    reducedMotion: 'reduce',
    viewport: { width: 390, height: 844 },
  })
  const visit = async (name: string, open: () => Promise<unknown>) => {
    complaints.length = 0
    await open()
    await page.waitForLoadState('networkidle')
    const unexpected = complaints.filter((complaint) => !expectedComplaint.test(complaint))
    await look(page, name, unexpected)
  }
  return {
    page,
    visit,
    visitAddress: (name: string, url: string) => visit(name, () => page.goto(url)),
    signIn: () => signIn(context, service.url),
  }
}

/** Visits the admin pages that open with a form or a dialog. */
async function visitForms({ page, visit }: Visitor, { service, labels }: PageSite): Promise<void> {
  const admin = `${service.url}/admin`
  await visit('admin-dialog', async () => {
    await page.goto(admin)
    await page.getByRole('link', { name: 'New link', exact: true }).click()
    await page.getByRole('dialog').waitFor()
  })
  await visit('admin-invitations', async () => {
    await page.goto(`${admin}/invitations`)
    await page.getByRole('button', { name: /oad the members/ }).click()
    await page.getByRole('button', { name: 'Reload the members' }).waitFor()
  })
  await visit('admin-link-edit', async () => {
    await page.goto(admin)
    const [edit] = await page.getByRole('link', { name: /^Edit / }).all()
    await edit?.click()
  })
  await visit('admin-link-created', async () => {
    await page.goto(`${admin}/links/new`)
    await page.getByLabel(/^Name /).fill(labels[0] ?? '')
    await page.getByRole('button', { name: 'Create link' }).click()
  })
  await visit('admin-cards', async () => {
    await page.goto(`${admin}/links/list`)
    const rows = labels.slice(0, 4).map((label) => `"${label.replaceAll('"', '""')}"`)
    await page.getByLabel('Names, one per row').fill(rows.join('\n'))
    await page.getByRole('button', { name: 'Create links' }).click()
    await page.locator('.cards li').first().waitFor()
  })
}
