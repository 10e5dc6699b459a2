import ICAL from 'ical.js'
import { afterAll, describe, expect, test } from 'vitest'
import { standardCatalog } from '../../../src/feeds/catalog.ts'
import { startTestService } from '../../support/service.ts'

const full = { feedIds: ['members', 'calendar'], profile: 'full' } as const

const service = await startTestService({ publicFeedIds: ['news', 'events'] })
afterAll(() => service[Symbol.asyncDispose]())
const link = await service.addLink(full)

const statusOf = async (url: string) => (await fetch(url)).status
const textOf = async (url: string) => (await fetch(url)).text()

/** Reads a file of vCards with ical.js. Returns the values of each card by property. */
function cardsIn(text: string): readonly ReadonlyMap<string, unknown>[] {
  const parsed: unknown = ICAL.parse(text)
  const cards = (Array.isArray(parsed) && typeof parsed[0] === 'string' ? [parsed] : parsed) as [
    string,
    readonly [string, object, string, unknown][],
  ][]
  return cards.map(
    ([, properties]) => new Map(properties.map(([name, , , value]) => [name, value])),
  )
}

test('serves everybody in one vCard file for address books', async () => {
  const response = await fetch(`${link}members.vcf`)
  expect(response.headers.get('content-type')).toBe('text/vcard; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  expect(response.headers.get('x-robots-tag')).toBe('noindex')
  expect(response.headers.get('content-disposition')).toContain('Members.vcf')
  const cards = cardsIn(await response.text())
  expect(cards).toHaveLength(24)
  const reyes = cards.find((card) => card.get('fn') === 'Jordan L Reyes')
  expect(Object.fromEntries(reyes ?? [])).toMatchObject({
    version: '3.0',
    uid: expect.stringMatching(/^members-5@/),
    n: ['Reyes', 'Jordan', 'L', '', ''],
    title: 'Lieutenant',
    tel: '555-0105',
    adr: ['', '', '210 County Route 9', 'Cedar Hollow', 'New York', '00000', ''],
  })
})

test('serves vCard 4.0 if the address asks for it, and no other version', async () => {
  const [card] = cardsIn(await textOf(`${link}members/5.vcf?version=4`))
  expect(card?.get('version')).toBe('4.0')
  for (const version of ['2', 'constructor']) {
    const refused = await fetch(`${link}members.vcf?version=${version}`)
    expect(refused.status).toBe(400)
    expect(refused.headers.get('content-disposition')).toBeNull()
    expect(await refused.text()).toBe('version must be 3 or 4.\n')
  }
})

test('lists people one by one for phones, each with a file', async () => {
  const page = await textOf(`${link}members`)
  expect(page).toContain('<strong dir="auto">Casey M O&#39;Rourke</strong>, Lieutenant')
  expect(page).toContain('href="tel:5550105"')
  expect(page).toContain('href="members/5.vcf"')
  const response = await fetch(`${link}members/5.vcf`)
  expect(response.headers.get('content-disposition')).toContain('Jordan L Reyes.vcf')
  expect(cardsIn(await response.text())).toHaveLength(1)
  expect(await statusOf(`${link}members/999.vcf`)).toBe(404)
  for (const path of ['', 'feeds'])
    expect(await textOf(`${link}${path}`)).toContain('href="members"')
})

test('a link can have nothing but the members', async () => {
  const only = await service.addLink({ ...full, feedIds: ['members'] })
  for (const path of ['', 'feeds']) {
    const page = await textOf(`${only}${path}`)
    expect(page).toContain('href="members"')
    expect(page).not.toMatch(/No calendars or news|nothing to subscribe to/)
  }
  expect(await statusOf(`${only}members.vcf`)).toBe(200)
})

test('serves a spreadsheet', async () => {
  const text = await textOf(`${link}members.csv`)
  const [header = '', ...rows] = text.trimEnd().split('\r\n')
  expect(header).toMatch(/^First Name,Middle Name,Last Name,Organization Name,/)
  expect(rows).toHaveLength(24)
  expect(rows.find((row) => row.includes('Reyes'))).toContain('Mobile,555-0105')
})

describe('the members stay private:', () => {
  test.for([
    ['all feeds', { profile: 'full' }],
    ['the profile members', { feedIds: ['members', 'calendar'], profile: 'members' }],
    ['other feeds', { feedIds: ['calendar'], profile: 'full' }],
    ['no key', undefined],
  ] as const)('a link with %s does not have them', async ([, wish]) => {
    const other = wish ? await service.addLink(wish) : `${service.url}/`
    for (const path of ['members', 'members.vcf', 'members.csv', 'members/5.vcf']) {
      expect([path, await statusOf(`${other}${path}`)]).toEqual([path, 403])
    }
    expect(await textOf(other)).not.toContain('href="members"')
    expect(await textOf(`${other}feeds`)).not.toContain('href="members"')
  })

  test('no list of feeds that can be published contains them', () => {
    expect(standardCatalog.feeds.map(({ id }) => id)).not.toContain('members')
    expect(standardCatalog.linkFeeds.map(({ id }) => id)).toContain('members')
  })
})

test('reads contact data only while a link includes it', async () => {
  await using other = await startTestService({})
  const names = await other.addLink({ profile: 'members', memberId: 5 })
  expect(await statusOf(`${names}my.ics`)).toBe(200)
  const namesRead = await other.resourcesRead()
  expect(namesRead).toContain('members')
  expect(namesRead).not.toContain('members/contacts')
  expect(await service.resourcesRead()).toContain('members/contacts')
})
