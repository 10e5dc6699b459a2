import { expect, test } from 'vitest'
import { createAdmin, sharedAdmin, testPassword } from '../../support/admin.ts'
import { startTestService } from '../../support/service.ts'

const { admin } = sharedAdmin()

test('starts with a light for the status, whose details have their own page', async () => {
  const { cookie } = await admin().signIn()
  const [first, details] = await Promise.all(
    ['/admin', '/admin/status'].map(async (path) => (await admin().visit(path, { cookie })).text),
  )
  expect(first).toMatch(/class="health" data-health="(?:good|bad)" href="\/admin\/status"/)
  expect(first).not.toContain('API calls')
  expect(details).toContain('API calls to the website')
  expect(details).toContain('<strong>Announcements</strong> <small class="muted">announce</small>')
})

test('does not present a site that is starting as faulty', async () => {
  await using cold = await startTestService({ environment: { ADMIN_PASSWORD: testPassword } })
  const { visit, signIn } = createAdmin(cold.url)
  const { cookie } = await signIn()
  const first = (await visit('/admin', { cookie })).text
  expect(first).toContain('data-health="starting"')
  expect(first).toMatch(/<strong>Starting\.<\/strong> Feedhouse is reading calendar, .* first time/)
  const details = (await visit('/admin/status', { cookie })).text
  expect(details).toMatch(/data-health="starting"><.*> Status: starting<\/h1>/)
  expect(details).not.toContain('class="fault"')
})

test('has the form for a new link in a dialog, and on a page for browsers without scripts', async () => {
  const { cookie } = await admin().signIn()
  const list = (await admin().visit('/admin?q=a', { cookie })).text
  expect(list).toContain('href="/admin/links/new?q=a" data-dialog="new-link"')
  expect(list).toContain('<dialog id="new-link"')
  const page = await admin().visit('/admin/links/new?q=a', { cookie })
  expect(page.status).toBe(200)
  expect(page.text).toContain('name="q" value="a"')
  expect(page.text).toContain('<h1 id="new-link">New feed link</h1>')
})

test('previews exactly what each profile may see', async () => {
  const { cookie } = await admin().signIn()
  const preview = async (profile: string) =>
    (await admin().visit(`/admin/preview/${profile}`, { cookie })).text
  expect(await preview('full')).toContain('Harriet Bloom')
  expect(await preview('members')).not.toContain('Harriet Bloom')
  expect(await preview('public')).not.toContain('Harriet Bloom')
  expect(await preview('full')).toMatch(/<mark>[^<]*Harriet Bloom/)
  expect(await preview('public')).not.toContain('<mark')
  // Nobody uses the documents, so they are not read for the preview.
  expect(await preview('full')).not.toContain('Documents')
  expect((await admin().visit('/admin/preview/nobody', { cookie })).status).toBe(404)
})
