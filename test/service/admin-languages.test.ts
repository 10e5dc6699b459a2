import { afterAll, expect, test } from 'vitest'
import { pseudoLanguage } from '../../src/records/messages.ts'
import { plusDays } from '../../src/sandbox/site-dates.ts'
import { adminEnvironment, createAdmin, newLinkForm, revisionIn } from '../support/admin.ts'
import { databaseFrom, gearSetting } from '../support/database-settings.ts'
import { fewOn } from '../support/few-records.ts'
import { followEnvironment, startFollowedService } from '../support/following.ts'
import { foreignText, inForeignLetters, textsInHtml, untranslated } from './own-text.ts'

/* The admin pages of a site in the pseudo language. See `own-text.ts`. */

const today = '2026-03-05'
const records = inForeignLetters(fewOn(today))
const website = { records }

const followed = await startFollowedService({
  environment: adminEnvironment,
  language: pseudoLanguage,
  siteName: foreignText('Cedar Hollow'),
  identity: { place: foreignText('Cedar Hollow') },
  publicFeedIds: ['events', 'news'],
  databases: [databaseFrom(`${gearSetting} name:Одежда`)],
  sandbox: { datasetOn: () => website.records },
})
afterAll(() => followed[Symbol.asyncDispose]())
const { service, followers } = followed
const admin = createAdmin(service.url, followEnvironment.PUBLIC_URL)
await service.readAll()
const label = foreignText('Robin')
const memberId = records.members[0]?.id
await service.addLink({ label, profile: 'full', memberId })
const { see, submit, cookie } = await admin.signIn()
const link = newLinkForm({ label })
const list = (text: string) => ({ ...link, list: text })

/** Links' keys, names of settings, and names of languages from Intl. */
const codes =
  /<p class="url">[^]*?<\/p>|\([A-Z]+_[A-Z]+\)|<option value="[a-z]{2}-[A-Z]{2}"(?: selected)?>[^<]*/g

/** Returns texts that are not translated. */
function foundIn(name: string, page: string): readonly string[] {
  expect(page).toContain(`<html lang="${pseudoLanguage}">`)
  expect(page).not.toContain('undefined')
  return untranslated(textsInHtml(page.replaceAll(codes, ''))).map((text) => `${name}: ${text}`)
}

test('translates the sign-in page', async () => {
  const wrong = await admin.post('/admin/sign-in', { form: { password: 'x' } })
  const pages = [(await admin.visit('/admin')).text, wrong.text]
  expect(pages.flatMap((page) => foundIn('sign-in', page))).toEqual([])
})

const words = (text: string) => text.trim().split(/\s+/)
const paths = words(`
  ?sort=name ?q=zq ?done=paused /links/new /links/list /status /status?done=tested /address
  /preview/public /preview/members /preview/full /screens /screens?done=cleared /settings
  /settings?done=saved /databases /databases?done=saved&database=2
  /databases?database=2&chosen=1&title={serial}"x"&id=gear /followers /followers?done=deleted
  /followers?done=unreadable /invitations /invitations?invited=1&skipped=2`)

test.for(paths)('translates every text on /admin%s', async (path) => {
  expect(foundIn(path, await see(`/admin${path}`))).toEqual([])
})

type Form = { readonly name: string; readonly fields: Readonly<Record<string, string>> }

const wrongLink = { label: '', profile: '', feeds: '', expires: 'x', member: 'x', id: 'x' }
const forms: readonly Form[] = [
  { name: '/links', fields: link },
  { name: '/links', fields: link },
  { name: '/links', fields: newLinkForm({ label, expires: '2027-06-30' }) },
  { name: '/links', fields: wrongLink },
  { name: '/links', fields: { ...link, feeds: 'some', feed: 'members' } },
  { name: '/links/list', fields: list('') },
  { name: '/links/list', fields: list('name') },
  { name: '/links/list', fields: list('x\n'.repeat(501)) },
  { name: '/links/list', fields: list('name;x') },
  { name: '/links/list', fields: list('name,x\nа') },
  { name: '/links/list', fields: list('name,name\nа') },
  { name: '/links/list', fields: list('"а') },
  { name: '/links/list', fields: list('"а" а') },
  { name: '/links/list', fields: list('\uFFFD') },
  {
    name: '/links/list',
    fields: list(',x,x,1,0,x\nа,members,members\nб;full\nа\nв,,,2020-01-01,999'),
  },
  { name: '/links/list', fields: { ...newLinkForm(), list: 'а\nб' } },
  { name: `/links/${link.id}`, fields: { ...link, revision: '9' } },
  { name: `/links/${link.id}/renew`, fields: { overlap: 'x' } },
  { name: `/links/${link.id}/renew`, fields: { overlap: '7', 'last-day': '2020-01-01' } },
  { name: `/links/${link.id}/renew`, fields: { overlap: '7', revision: '9' } },
  { name: `/links/${link.id}/renew`, fields: { overlap: '7', revision: '1' } },
  { name: '/refresh-token', fields: { created: '' } },
  { name: '/collections/events/accept', fields: { version: '' } },
  { name: '/screens', fields: { title: 'я'.repeat(99), text: 'я'.repeat(999), until: 'x' } },
  { name: '/screens', fields: { title: '', until: '2020-01-01T00:00' } },
  { name: '/screens', fields: { title: 'я', until: '2030-01-01T00:00' } },
  {
    name: '/settings',
    fields: {
      name: 'я'.repeat(101),
      place: 'я\u200b',
      color: '?',
      logo: '?',
      language: '?',
      feeds: 'some',
      feed: '?',
      fresh: '?',
      picture: '?',
      places: 'я\nя|я|91,181\n|б|1,2\nг||1,2\nе|е|1,2\nе|е|1,2',
    },
  },
  { name: '/settings', fields: { places: 'я\n'.repeat(501) } },
  { name: '/settings', fields: { feeds: 'default', revision: '9' } },
  { name: '/databases', fields: { database: '2', feeds: '', revision: '9' } },
  { name: '/databases', fields: { database: '2', feeds: '?' } },
  { name: '/followers', fields: { address: 'nobody@example.org' } },
  { name: '/invitations', fields: { action: 'invite', id: link.id } },
]

test('translates every response to a form', async () => {
  const found: string[] = []
  for (const { name, fields } of forms) {
    const { status, text } = await submit(`/admin${name}`, fields)
    expect([name, fields, status >= 200 && status !== 303 && status < 500]).toEqual([
      name,
      fields,
      true,
    ])
    found.push(...foundIn(name, text))
  }
  expect(found).toEqual([])
})

test('translates pages about links in every state, followers, invitations and held records', async () => {
  const choice = { changes: true, tomorrow: false, emergency: true }
  const address = 'neighbor@example.org'
  await followers.confirm({ address, choice, language: 'en' })
  const unreadable = followed.followersWith('another-secret-with-letters')
  await unreadable.confirm({ address: 'lost@example.org', choice, language: 'en' })
  const ids = await Promise.all(
    [{}, { expires: today }, {}, {}].map(async (change) => {
      const form = newLinkForm({ label, ...change })
      await submit('/admin/links', form)
      return form.id
    }),
  )
  const [paused = '', , revoked = '', renewed = ''] = ids
  await submit(`/admin/links/${paused}/pause`)
  await submit(`/admin/links/${revoked}/revoke`)
  const { text: edited } = await submit(`/admin/links/${renewed}`, { action: 'members' })
  const revision = revisionIn(edited)
  const renewal = await submit(`/admin/links/${renewed}/renew`, { overlap: '7', revision })
  await submit('/admin/invitations', { action: 'members' })
  website.records = { ...records, events: [] }
  await service.clock.advance(6 * 60_000)
  await service.readAll()
  await submit('/admin/screens', { title: 'я', until: `${plusDays(today, 1)}T18:00`, pages: 'on' })
  const later = [
    ...words('?sort=used /invitations /followers /screens?done=shown /status').map(
      (path) => `/admin${path}`,
    ),
    ...ids.map((id) => `/admin/links/${id}`),
  ]
  const pages = await Promise.all(later.map(see))
  const found = [...pages, edited, renewal.text].flatMap((page, index) =>
    foundIn(later[index] ?? 'form', page),
  )
  expect(found).toEqual([])
})

test('translates messages about forms that are rejected', async () => {
  const headers = {
    cookie,
    accept: 'text/html',
    'content-type': 'application/x-www-form-urlencoded',
  }
  const post = async (origin: string, body: string) => {
    const sent = { method: 'POST', headers: { ...headers, origin }, body }
    const response = await fetch(`${service.url}/admin/links`, sent)
    return [response.status, foundIn(body, await response.text())]
  }
  expect(await post(followEnvironment.PUBLIC_URL, 'token=x')).toEqual([403, []])
  expect(await post('https://other.example', '')).toEqual([403, []])
})
