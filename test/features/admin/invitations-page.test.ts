import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { rejected } from '../../../src/followers/refusal.ts'
import { linkBucket } from '../../../src/links/stored-links.ts'
import { sampleMembers } from '../../../src/sandbox/sample/members.ts'
import type { Store } from '../../../src/store/store.ts'
import { adminEnvironment, createAdmin, faultsIn } from '../../support/admin.ts'
import { fewOn } from '../../support/few-records.ts'
import { followEnvironment, startFollowedService } from '../../support/following.ts'
import { readMail, valuesOf } from '../../support/read-mail.ts'
import { startMailServer } from '../../support/receivers.ts'
import { siteFrom, testDirectory, type TestServiceOptions } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'

const people = [
  { id: 1, firstName: 'Pat', lastName: 'Vale', email: 'pat@example.org' },
  { id: 2, firstName: 'Sam', lastName: 'Reyes', email: 'sam@example.org' },
  { id: 3, firstName: 'Kim', lastName: 'Park', email: '' },
  { id: 4, firstName: 'Lee', lastName: 'Marsh', email: 'lee@example.org' },
]
const members = sampleMembers()
  .slice(0, people.length)
  .map((member, at) => ({ ...member, rank: '', middleInitial: '', ...people[at] }))

async function start(options: TestServiceOptions = {}) {
  const { url: smtpUrl, mails } = await startMailServer()
  const followed = await startFollowedService({
    ...options,
    environment: { ...adminEnvironment, SMTP_URL: smtpUrl },
    sandbox: { datasetOn: (today) => ({ ...fewOn(today), members }) },
  })
  onTestFinished(() => followed[Symbol.asyncDispose]())
  const admin = createAdmin(followed.service.url, followEnvironment.PUBLIC_URL)
  return { ...followed, mails, ...(await admin.signIn()) }
}

/** Makes links wait in front of the store until two requests have read it and want to add theirs. */
function addedTogether(): (store: Store) => Store {
  const both = Promise.withResolvers<void>()
  let waiting = 0
  return (store) => ({
    ...store,
    documents: {
      ...store.documents,
      async write(writes, expected) {
        if (writes.some(({ bucket }) => bucket === linkBucket)) {
          waiting += 1
          if (waiting === 2) both.resolve()
          await both.promise
        }
        return store.documents.write(writes, expected)
      },
    },
  })
}

const path = '/admin/invitations'

const statesOn = (page: string) => {
  const rows = page.matchAll(/<strong>([^<]+)<\/strong>[^]*?<span class="tag[^>]*>([^<]+)</g)
  return Object.fromEntries(Array.from(rows, ([, name = '', state]) => [name, state]))
}

const notInvited = (page: string) =>
  Array.from(page.matchAll(/name="member" value="(\d)" checked/g), ([, id]) => id)

test('invites each member once, in the chosen language, and lists who has opened the link', async () => {
  const { service, followers, stored, mails, see, submit } = await start()
  expect(await see(path)).not.toContain('name="member"')
  await service.addLink({ label: 'By hand', memberId: 4 })
  const { status, text: page } = await submit(path, { action: 'members' })
  expect(status).toBe(200)
  expect(notInvited(page)).toEqual(['3', '2', '1'])
  expect(statesOn(page)).toEqual({ 'Marsh, Lee (4)': 'Has a link' })
  expect(await see('/admin')).toContain(`href="${path}"`)

  const form = { action: 'invite', language: 'de', member: ['1', '2', '3', '4'] }
  const done = await submit(path, form)
  expect(done.headers['location']).toBe(`${path}?invited=2&skipped=2`)
  expect(await see(`${path}?invited=2&skipped=2`)).toContain(
    '2 members invited. The emails are sent one after another. 2 members skipped',
  )
  expect((await stored()).includes('pat@example.org')).toBe(false)
  const again = await submit(path, form)
  expect(again.headers['location']).toBe(`${path}?invited=0&skipped=4`)
  expect(notInvited(await see(path))).toEqual(['3'])

  await waitFor(async () => {
    await service.clock.advance(15_000)
    expect(mails).toHaveLength(2)
  })
  expect(mails.map(({ to }) => to.join()).toSorted()).toEqual([
    'pat@example.org',
    'sam@example.org',
  ])
  const mail = mails.find(({ to }) => to.includes('pat@example.org'))
  const read = readMail(mail?.raw ?? '')
  expect(valuesOf(read, 'content-language')).toEqual(['de-DE'])
  expect(valuesOf(read, 'list-unsubscribe')[0]).toMatch(/\/follow\/end\/[a-z2-7]{64}>$/)
  const [text] = read.parts
  const [, link = ''] = /http:\/\/feeds\.example(\/l\/[a-z2-7]+\/)/.exec(text?.text ?? '') ?? []
  expect((await service.get(link)).text).toContain('Pat')
  expect(await stored()).not.toContain('"key"')
  await service.clock.advance(15_000)

  const sam = (await followers.all()).find(
    (each) => followers.addressOf(each) === 'sam@example.org',
  )
  await followers.change(sam?.id ?? '', (known) => known && rejected(known, service.clock.now()))
  await waitFor(async () => {
    const after = await see(path)
    expect(statesOn(after)).toEqual({
      'Marsh, Lee (4)': 'Has a link',
      'Reyes, Sam (2)': 'Email bounced',
      'Vale, Pat (1)': 'Emailed',
    })
    expect(after.match(/Never opened/g)).toHaveLength(2)
  })
  await service.clock.advance(60_000)
  expect(mails).toHaveLength(2)
})

test('asks whom to invite, and is missing if nobody can follow by email', async () => {
  const { submit } = await start()
  const { status, text } = await submit(path, { action: 'invite' })
  expect([status, faultsIn(text)]).toEqual([400, ['Choose whom to invite.']])
  const environment = { ...adminEnvironment, MAIL_FOLLOW: 'no' }
  await using without = await startFollowedService({ environment })
  const admin = await createAdmin(without.service.url, followEnvironment.PUBLIC_URL).signIn()
  expect(await admin.see(path)).toContain('Page not found')
  expect(await admin.see('/admin')).not.toContain(`href="${path}"`)
})

test('keeps the selection and the language when the members are read again', async () => {
  const { submit } = await start()
  await submit(path, { action: 'members' })
  const form = { language: 'fr', listed: ['1', '2', '3'], member: ['2'] }
  for (const action of ['members', 'invite']) {
    const sent = action === 'invite' ? { ...form, member: [] } : form
    const { text } = await submit(path, { ...sent, action })
    expect(notInvited(text)).toEqual(['4', ...sent.member])
    expect(text).toContain('<option value="fr" lang="fr" selected>')
  }
})

test.for(['one process', 'two replicas'])(
  'invites a member only once from two pages at the same time: %s',
  async (name) => {
    const file = join(testDirectory(), 'store.sqlite')
    const options = { changeStore: addedTogether(), storeFileIn: () => file }
    const first = await start(options)
    await first.submit(path, { action: 'members' })
    const website = siteFrom(first.service.sandbox)
    const second = name === 'one process' ? first : await start({ ...options, website })
    const responses = await Promise.all([
      first.submit(path, { action: 'invite', member: ['1', '2'] }),
      second.submit(path, { action: 'invite', member: ['2', '4'] }),
    ])
    const statuses = responses.map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([303, 400])
    const { followers } = first
    const addresses = (await followers.all()).map((each) => followers.addressOf(each))
    expect(addresses.filter((address) => address === 'sam@example.org')).toHaveLength(1)
    expect(addresses).toHaveLength(2)
  },
)
