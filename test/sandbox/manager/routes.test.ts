import { describe, expect, test } from 'vitest'
import { createBrowser, createManager } from '../../support/manager.ts'
import { startSandbox } from '../../support/sandbox.ts'

async function startManaged() {
  const started = await startSandbox()
  const browse = createBrowser(started.sandbox)
  const signIn = (password: string) =>
    browse('/manage/sign-in/', { method: 'POST', form: { password } })
  return { ...started, browse, signIn, password: started.sandbox.manager.password }
}

/** Starts a sandbox, and signs in as its manager. */
async function signedIn() {
  const started = await startSandbox()
  return { ...started, ...(await createManager(started.sandbox)) }
}

describe('signing in', () => {
  test('requires the manager’s password', async () => {
    const { browse, sandbox } = await startManaged()
    for (const path of ['/manage/api/', '/manage/api/1/', '/manage/api/1/statistics/']) {
      const answer = await browse(path)
      expect(answer).toMatchObject({ status: 303, headers: { location: '/manage/sign-in/' } })
      expect(answer.html).not.toContain('demo')
    }
    for (const path of ['/manage/api/', '/manage/api/1/', '/manage/api/1/regenerate/']) {
      const { status } = await browse(path, { method: 'POST', form: { name: 'x' } })
      expect(status).toBe(303)
    }
    expect(sandbox.manager.url).toBe(`${sandbox.url}/manage/api/`)
    expect(sandbox.manager.password).toMatch(/^[\w-]{16}$/)
  })

  test('sets an HttpOnly cookie for this origin only', async () => {
    const { signIn, password, browse } = await startManaged()
    const { status, headers } = await signIn(password)
    expect(status).toBe(303)
    expect(headers['set-cookie']).toMatch(
      /^__Host-sandbox=[\w-]{32}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
    const [cookie = ''] = String(headers['set-cookie']).split(';')
    const page = await browse('/manage/api/', { cookie: `other=1; ${cookie}` })
    expect(page.html).toContain('demo')
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    expect((await browse('/manage/style.css')).headers['content-type']).toContain('text/css')
  })

  test('rejects a wrong password, and does not check the sixth password within a minute', async () => {
    const { signIn, password, clock } = await startManaged()
    for (let tries = 0; tries < 5; tries += 1) {
      const html = expect.stringContaining('The password is incorrect.')
      expect(await signIn(`${password}x`)).toMatchObject({ status: 403, html })
    }
    expect((await signIn(password)).status).toBe(429)
    await clock.advance(60_000)
    expect((await signIn(password)).status).toBe(303)
  })

  test('ends a session at sign-out and after twelve hours', async () => {
    const { sandbox, clock } = await startManaged()
    const first = await createManager(sandbox)
    expect((await first.visit('/manage/api/')).status).toBe(200)
    await first.post('/manage/sign-out/')
    expect((await first.visit('/manage/api/')).status).toBe(303)
    const second = await createManager(sandbox)
    await clock.advance(12 * 3_600_000 - 1)
    expect((await second.visit('/manage/api/')).status).toBe(200)
    await clock.advance(1)
    expect((await second.visit('/manage/api/')).status).toBe(303)
  })

  test('rejects a form from another website', async () => {
    const { sandbox, visit } = await signedIn()
    for (const origin of ['https://evil.example', 'null', sandbox.httpUrl]) {
      const form = { name: 'Evil' }
      const { status } = await visit('/manage/api/', { method: 'POST', form, origin })
      expect(status).toBe(403)
    }
    expect((await visit('/manage/api/')).html).not.toContain('Evil')
  })
})

describe('the manager', () => {
  test('shows the refresh token of a new project only once', async () => {
    const { addProject, visit, refresh } = await signedIn()
    const { id, refreshToken } = await addProject('Wall <screen> & "board"')
    expect((await refresh(refreshToken)).body.project).toBe('Wall <screen> & "board"')
    const again = await visit(`/manage/api/${id}/`)
    expect(again.html).not.toContain(refreshToken)
    expect(again.html).toContain('Wall &lt;screen&gt; &amp; &quot;board&quot;')
    expect(again.html).toContain('It expires on 2027-03-05 10:00:00')
  })

  test('shows a refresh token only on the page of its project', async () => {
    const { post, visit } = await signedIn()
    const { headers } = await post('/manage/api/', { name: 'Second' })
    expect((await visit('/manage/api/1/')).html).not.toContain('Copy it now')
    await visit(String(headers['location']), { method: 'HEAD' })
    expect((await visit(String(headers['location']))).html).toContain('Copy it now')
  })

  test('shows and changes settings', async () => {
    const { setProject, visit } = await signedIn()
    const limits = { status: 'Disabled', endpoints: ['news'], ips: ['192.0.2.7', '::1'] } as const
    expect((await setProject(1, limits)).status).toBe(303)
    const { html } = await visit('/manage/api/1/')
    expect(html).toMatch(/value="Disabled" checked/)
    expect(html).toMatch(/value="some" checked/)
    expect(
      [...html.matchAll(/value="(\w+)" checked> \w+<\/label>/g)].map(([, name]) => name),
    ).toEqual(['Disabled', 'news'])
    expect(html).toMatch(/>192\.0\.2\.7\n::1<\/textarea>/)
    expect((await visit('/manage/api/')).html).toMatch(
      /Disabled<.*<td>news<\/td>\s*<td>192\.0\.2\.7, ::1</s,
    )
  })

  test.for([
    { change: { name: ' ' }, fault: 'The name is empty.' },
    { change: { name: 'n'.repeat(101) }, fault: 'The name is longer than 100 characters.' },
    { change: { status: 'On' }, fault: 'The status must be Enabled or Disabled, not On.' },
    { change: { access: 'some' }, fault: 'No endpoint is listed. Allow all, or list some.' },
    { change: { access: 'some', endpoint: 'x<' }, fault: 'Unknown endpoint x&lt;;' },
    { change: { ips: '1.2.3' }, fault: '1.2.3 is not an IP address.' },
    {
      change: { ips: Array.from({ length: 101 }, (_, index) => `192.0.2.${index}`).join('\n') },
      fault: 'There are more than 100 IP addresses.',
    },
  ])('$fault', async ({ change, fault }) => {
    const { post, visit } = await signedIn()
    const form = { name: 'n', status: 'Enabled', access: 'all', ...change }
    const html = expect.stringContaining(fault)
    expect(await post('/manage/api/1/', form)).toMatchObject({ status: 400, html })
    expect((await visit('/manage/api/1/')).html).toContain('<h1>demo</h1>')
  })

  test('keeps the submitted values of an invalid form', async () => {
    const { post } = await signedIn()
    const form = { name: 'Wall', status: 'Disabled', access: 'some', endpoint: 'news', ips: '1.2' }
    const { html } = await post('/manage/api/1/', form)
    expect(html).toContain('name="name" value="Wall"')
    for (const value of ['Disabled', 'some', 'news']) {
      expect(html).toContain(`value="${value}" checked`)
    }
    expect(html).toContain('>1.2</textarea>')
  })

  test('rejects a new project without a name', async () => {
    const { post } = await signedIn()
    const html = expect.stringContaining('The name is empty.')
    expect(await post('/manage/api/', { name: ' ' })).toMatchObject({ status: 400, html })
  })

  test.for(['/manage/api/2/', '/manage/api/x/', '/manage/api/2/statistics/'])(
    'responds with 404 to %s, which is not a project page',
    async (path) => {
      const { visit } = await signedIn()
      const html = expect.stringContaining('Unknown API Project.')
      expect(await visit(path)).toMatchObject({ status: 404, html })
    },
  )

  test('keeps the tokens of two new projects until their pages show them', async () => {
    const { post, visit } = await signedIn()
    await post('/manage/api/', { name: 'Second' })
    await post('/manage/api/', { name: 'Third' })
    for (const id of [2, 3]) {
      expect((await visit(`/manage/api/${id}/`)).html).toContain('Copy it now')
    }
  })

  test('ends the oldest session when a twenty-first session starts', async () => {
    const { sandbox } = await startManaged()
    const first = await createManager(sandbox)
    for (let others = 0; others < 20; others += 1) await createManager(sandbox)
    expect((await first.visit('/manage/api/')).status).toBe(303)
  })

  test('rejects a form that is too large, and a URL path that cannot be decoded', async () => {
    const { post, visit } = await signedIn()
    const large = await post('/manage/api/', { name: 'n'.repeat(20_000) })
    expect(large).toMatchObject({ status: 413, html: expect.stringContaining('is invalid.') })
    const undecodable = await visit('/manage/api/%ff/')
    expect(undecodable).toMatchObject({ status: 400, html: expect.stringContaining('is invalid.') })
  })
})
