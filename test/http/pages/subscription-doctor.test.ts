import { expect, test } from 'vitest'
import { startBehindHttps } from '../../support/behind-https.ts'
import { createAdmin, testPassword } from '../../support/admin.ts'
import { startTestService } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'

const hourMs = 60 * 60_000

/** Pages are rendered again after this time. */
const pageMs = 31_000
const google = { 'User-Agent': 'Google-Calendar-Importer' }
const textOf = async (url: string) => (await fetch(url)).text()

test('shows on the link’s page which apps refreshed it, and when they are due again', async () => {
  await using service = await startTestService()
  await service.readAll()
  const link = await service.addLink({ profile: 'full' })
  expect(await textOf(`${link}feeds`)).toContain('No app has used this link yet.')
  await fetch(`${link}rental.ics`, { headers: google })
  await service.clock.leap(pageMs)
  const page = await textOf(`${link}feeds`)
  expect(page).toContain('<strong>Google Calendar</strong>')
  expect(page).toMatch(/Next refresh expected between \w+ \d+, [\d:]+ [AP]M and /)
  expect(page).not.toContain('class="late"')
  expect(page).toContain('the address can be reached from the internet')
  await service.clock.leap(40 * hourMs)
  const late = await textOf(`${link}feeds`)
  expect(late).toContain('<span class="late">Late</span>')
  expect(late).not.toContain('the address can be reached from the internet')
  expect(late).toMatch(/<details open><summary>If changes are missing/)
  expect(await textOf(`${service.url}/`)).not.toContain('id="doctor"')
})

test('shows the same for each link on the admin page', async () => {
  await using service = await startTestService({ environment: { ADMIN_PASSWORD: testPassword } })
  await service.readAll()
  const link = await service.addLink({ label: 'Capt. Reyes' })
  await fetch(`${link}events.ics`, { headers: google })
  const admin = createAdmin(service.url)
  const { cookie } = await admin.signIn()
  const { text } = await admin.visit('/admin', { cookie })
  expect(text).toContain('<strong>Google</strong> · Today')
  const [, path = ''] = /href="(\/admin\/links\/[a-z2-7]{8})"/.exec(text) ?? []
  expect((await admin.visit(path, { cookie })).text).toContain('Google Calendar')
  await service.clock.leap(40 * hourMs)
  const again = await admin.signIn()
  const later = await admin.visit('/admin', { cookie: again.cookie })
  expect(later.text).toContain('<span class="tag bad">late</span>')
  const page = await admin.visit(path, { cookie: again.cookie })
  expect(page.text).toContain('<span class="late">Late</span>')
})

test('checks the link’s own address on request, without counting as a use', async () => {
  const { service, publicUrl } = await startBehindHttps({
    environment: { ADMIN_PASSWORD: testPassword },
  })
  const link = await service.addLink({ feedIds: ['events', 'news'] })
  expect(await textOf(`${link}feeds`)).toContain('<button>Check the address</button>')
  const page = await textOf(`${link}feeds?check=1`)
  expect(page).toContain('Apps can read this address.')
  expect(page).toMatch(/<strong class="ok">OK<\/strong> <span>The certificate is trusted/)
  expect(page).toContain('<button>Check again</button>')
  expect(page).not.toContain('Problem')
  expect(page).toContain('No app has used this link yet.')
  const admin = createAdmin(publicUrl)
  const { cookie } = await admin.signIn()
  const { text } = await admin.visit('/admin/address', { cookie })
  expect(text).toContain('Apps can read this address.')
})

test('counts a request that only claims to be the check', async () => {
  await using service = await startTestService()
  await service.readAll()
  const link = await service.addLink({})
  const headers = { 'User-Agent': 'Feedhouse check of aaaaaaaa' }
  await fetch(`${link}events.ics`, { headers })
  await waitFor(async () => {
    expect(await textOf(`${link}feeds`)).toContain('Browser or unknown program')
  })
})

test('explains faults once, and repeats the check at most once a minute', async () => {
  const requests = { count: 0 }
  const { service } = await startBehindHttps({
    change(headers) {
      requests.count += 1
      const type = String(headers['content-type']).replace('application/rss+xml', 'text/plain')
      return { ...headers, etag: undefined, 'content-type': type }
    },
  })
  const link = await service.addLink({ feedIds: ['events', 'news'] })
  const page = await textOf(`${link}feeds?check=1`)
  expect(page).toContain('Some apps cannot read this address.')
  expect(page.match(/ETag is missing/g)).toHaveLength(1)
  expect(page).toContain('<span>News: The content type is text/plain instead of application/rss')
  const { count } = requests
  expect(await textOf(`${link}feeds?check=1`)).toContain('ETag is missing')
  expect(requests.count).toBe(count + 1)
  await service.clock.leap(61_000)
  await textOf(`${link}feeds?check=1`)
  expect(requests.count).toBeGreaterThan(count + 2)
})
