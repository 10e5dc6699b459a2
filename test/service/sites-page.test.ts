import { describe, expect, test } from 'vitest'
import { startTestHosting } from '../support/hosting.ts'
import { waitFor } from '../support/wait-for.ts'

const password = 'correct horse battery'
const all = 'https://feeds.example'
const environment = { PUBLIC_FEEDS: 'events' }
const ashton = { publicUrl: 'https://feeds.example/ashton', environment }
const milbrook = { publicUrl: 'https://milbrook.example', environment }

const fault = 'The changed sites file is not used: SITES_FILE sites.json is not valid JSON.'

const withPage = (settings: Record<string, string> = { SITES_URL: all }) =>
  startTestHosting(
    { ashton, milbrook },
    {
      environment: { SITES_FILE: 'sites.json', SITES_PASSWORD: password, ...settings },
      faults: [fault],
    },
  )

type Ask = Awaited<ReturnType<typeof withPage>>['ask']

const signIn = (ask: Ask, tried = password, origin = all) =>
  ask(`${origin}/sites/sign-in`, { form: { password: tried } })

const sessionIn = ({ headers }: Awaited<ReturnType<Ask>>) => {
  const [first = ''] = [headers['set-cookie']].flat()
  return first.split(';')[0] ?? ''
}

const sitesPage = async (ask: Ask) =>
  ask(`${all}/sites`, { headers: { cookie: sessionIn(await signIn(ask)) } })

describe('the sites page', () => {
  test('lists the sites for people with the password, with problems first', async () => {
    const { ask, sandboxes, clock } = await withPage()
    for (const { publicUrl } of [ashton, milbrook]) await ask(`${publicUrl}/events.ics`)
    expect((await ask(`${all}/sites`)).text).toContain('type="password"')
    const signedIn = await signIn(ask)
    expect([signedIn.status, signedIn.headers['location']]).toEqual([303, '/sites'])
    const cookie = sessionIn(signedIn)
    expect(cookie).toMatch(/^__Host-feedhouse-sites=/)

    const page = await ask(`${all}/sites`, { headers: { cookie } })
    expect(page.text).toContain('2 sites')
    expect(page.text).toContain('All good.')
    expect(page.text).toContain('<a href="https://feeds.example/ashton/admin">ashton</a>')
    expect(page.text).toMatch(/\d+ of 5000<\/td>.*\s*.*<time datetime="[^"]+">just now/)
    expect(page.text).toMatch(/1: \d+ MiB/)
    const [, style = ''] = /href="(\/assets\/style[^"]+)"/.exec(page.text) ?? []
    expect((await ask(`${all}${style}`)).status).toBe(200)

    await sandboxes['milbrook']?.[Symbol.asyncDispose]()
    await clock.advance(20 * 60_000)
    const text = await waitFor(async () => {
      const later = await ask(`${all}/sites`, { headers: { cookie } })
      expect(later.text).toContain('1 site needs attention.')
      return later.text
    })
    expect(text.indexOf('>milbrook<')).toBeLessThan(text.indexOf('>ashton<'))
  })

  test('does not show starting sites as failing', async () => {
    const { ask } = await withPage()
    const { text } = await sitesPage(ask)
    expect(text).toContain('2 sites are starting.')
    expect(text.match(/<tr data-health="starting">/g)).toHaveLength(2)
    expect(text).toContain('Feedhouse is reading events for the first time')
  })

  test('sorts sites by title, and shows their names in commands', async () => {
    const titled = { ...milbrook, environment: { ...environment, SITE_NAME: 'Aldie Fire' } }
    const { ask, hosting } = await startTestHosting(
      { ashton, milbrook: titled },
      { environment: { SITES_FILE: 'sites.json', SITES_PASSWORD: password, SITES_URL: all } },
    )
    const { text } = await sitesPage(ask)
    expect(text).toContain('/admin">Aldie Fire</a> <small class="muted">milbrook</small></th>')
    expect(text).toContain('/ashton/admin">ashton</a></th>')
    expect(text.indexOf('>Aldie Fire<')).toBeLessThan(text.indexOf('>ashton<'))
    const status = JSON.parse((await ask(`${hosting.url}/status`)).text)
    expect(status.sites[1]).toMatchObject({ name: 'milbrook', title: 'Aldie Fire' })
  })

  test('redirects from the address with a trailing slash', async () => {
    const { ask } = await withPage()
    const headers = { cookie: sessionIn(await signIn(ask)) }
    const page = await ask(`${all}/sites/`, { headers })
    expect([page.status, page.headers['location']]).toEqual([301, '/sites'])
  })

  test('ends the session, and needs the token of its form to do so', async () => {
    const { ask } = await withPage()
    const cookie = sessionIn(await signIn(ask))
    const signOut = (token: string) =>
      ask(`${all}/sites/sign-out`, { form: { token }, headers: { cookie } })
    expect((await signOut('wrong')).status).toBe(403)
    const { text } = await ask(`${all}/sites`, { headers: { cookie } })
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(text) ?? []
    expect((await signOut(token)).status).toBe(303)
    expect((await ask(`${all}/sites`, { headers: { cookie } })).text).toContain('type="password"')
  })

  test('limits wrong passwords, and rejects forms of other origins', async () => {
    const { ask, lines } = await withPage()
    const statuses = []
    for (let tries = 0; tries < 6; tries += 1) statuses.push((await signIn(ask, 'wrong')).status)
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429])
    const headers = { origin: 'https://elsewhere.example' }
    const foreign = await ask(`${all}/sites/sign-in`, { form: { password }, headers })
    expect([foreign.status, foreign.text]).toEqual([403, expect.stringContaining('SITES_URL')])
    expect(lines.join('')).not.toContain(password)
  })

  test('shows nothing else of the server at its URL', async () => {
    const { ask } = await withPage()
    for (const path of ['/', '/status', '/metrics', '/sites/', '/sites/other']) {
      const { status, text } = await ask(`${all}${path}`)
      expect([path, status, text]).not.toMatchObject([path, 200])
      expect(text).not.toContain('milbrook')
    }
    expect((await ask(`${ashton.publicUrl}/sites`)).status).toBe(404)
  })

  test('is also at the server’s own address, without SITES_URL', async () => {
    const { ask, hosting } = await withPage({})
    const cookie = sessionIn(await signIn(ask, password, hosting.url))
    expect(cookie).toMatch(/^feedhouse-sites=/)
    const { text } = await ask(`${hosting.url}/sites`, { headers: { cookie } })
    expect(text).toContain('2 sites')
    expect(text).toContain(fault)
    expect((await ask(`${all}/sites`)).status).toBe(404)
  })

  test('does not exist without a password', async () => {
    const { ask, hosting } = await startTestHosting(
      { ashton, milbrook },
      { environment: { SITES_FILE: 'sites.json', SITES_URL: all } },
    )
    for (const origin of [all, hosting.url]) expect((await ask(`${origin}/sites`)).status).toBe(404)
  })
})
