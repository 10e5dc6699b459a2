import { expect, test } from 'vitest'
import { newLinkForm, sharedAdmin, testPassword } from '../../support/admin.ts'

const { admin } = sharedAdmin({ publicFeedIds: ['events'] })

/** Returns the paths of a page's own links and forms. */
const targetsIn = (page: string) =>
  [...page.matchAll(/<(?:a|form)\b[^>]* (?:href|action)="(\/[^"]*)"/g)].map(([, url = '']) => url)

test('signs in and out in the language of the URL', async () => {
  const { visit, post, signIn } = admin()
  const page = await visit('/admin?lang=de')
  expect(page.text).toContain('<html lang="de-DE">')
  expect(page.text).toContain('action="/admin/sign-in?lang=de"')
  expect(page.text).toContain('<a href="admin?lang=es" lang="es" hreflang="es">Español</a>')
  expect(page.text).not.toContain('rel="alternate"')
  const wrong = await post('/admin/sign-in?lang=de', { form: { password: 'wrong' } })
  expect(wrong.text).toContain('Das Passwort ist falsch.')
  const right = await post('/admin/sign-in?lang=de', { form: { password: testPassword } })
  expect(right.headers['location']).toBe('/admin?lang=de')
  const { submit } = await signIn()
  expect((await submit('/admin/sign-out?lang=de')).headers['location']).toBe('/admin?lang=de')
  expect((await visit('/admin/settings?lang=de')).headers['location']).toBe('/admin?lang=de')
})

test('keeps the language in links, forms and redirects', async () => {
  const { see, submit } = await admin().signIn()
  const form = newLinkForm()
  await submit('/admin/links?lang=fr', form)
  const page = await see('/admin?sort=name&lang=fr')
  expect(page).toContain('<html lang="fr-CA">')
  expect(targetsIn(page).length).toBeGreaterThan(15)
  const others = targetsIn(page).filter((url) => !/[?&](?:amp;)?lang=fr(?:#|$)/.test(url))
  expect(others).toEqual(['/admin#existing-links'])
  expect(page).toContain('/admin#existing-links" class="search"')
  expect(page).toContain('<input type="hidden" name="lang" value="fr">')
  const paused = await submit(`/admin/links/${form.id}/pause?lang=fr&sort=name`)
  expect(paused.headers['location']).toBe('/admin?sort=name&done=paused&lang=fr#existing-links')
})

test('redirects from a region, and rejects an unknown language', async () => {
  const { visit } = admin()
  const { status, headers } = await visit('/admin?lang=fr-CA')
  expect([status, headers['location']]).toEqual([301, '/admin?lang=fr'])
  expect((await visit('/admin?lang=xx')).status).toBe(400)
})
