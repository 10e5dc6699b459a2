import { expect, test } from 'vitest'
import { createAdmin, testPassword } from '../support/admin.ts'
import { fewRecords } from '../support/few-records.ts'
import { exchange, requestText, send } from '../support/raw-http.ts'
import { startTestService } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

/** All kinds of paths under a feed link, including invalid paths. */
const pathsBelow = [
  '',
  ...`calendar.ics calendar.ics?alarm=5 calendar.ics?download=1 news.json feeds.opml
    calendar.ics?alarm=x calendar.ics?past=1&past=2 ?feed=events&alarm=x ?feed=events&alarm=5
    nothing x/y/z %ff rental/1 rental/99999999 rental.rss board ../status //`.split(/\s+/),
]

test('keeps keys, tokens and passwords out of logs, metrics and errors', async () => {
  await using service = await startTestService({
    sandbox: fewRecords,
    environment: { ADMIN_PASSWORD: testPassword },
    publicFeedIds: ['events'],
  })
  const told: string[] = []
  /** Collects all output, except for responses to signed-in admins and to users of a feed link. */
  async function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
    const { status, head, body } = await exchange(
      service.url,
      requestText(path, { headers, method }),
    )
    // The log drops lines that exceed its rate limit.
    await service.clock.leap(100)
    if (status >= 400) told.push(head.join('\n'), body.toString())
    return { status, text: body.toString() }
  }

  const links = [
    await service.addLink({ profile: 'full' }),
    await service.addLink({ feedIds: ['rental'] }),
    await service.addLink({ expiresAt: service.clock.now() + 1000 }),
  ]
  const keys = links.map((link) => link.split('/')[4] ?? '')
  const { cookie, token } = await createAdmin(service.url).signIn()
  const session = cookie.split('=')[1] ?? ''

  async function askAll(): Promise<number> {
    let errors = 0
    for (const key of [...keys, `${keys[0]}x`]) {
      for (const path of pathsBelow) {
        const { status } = await ask(`/l/${key}/${path}`)
        if (status >= 400) errors += 1
        await ask(`/l/${key}/${path}`, { 'If-Match': '"x"', Referer: `${service.url}/l/${key}/` })
      }
      // A form from the link's own page would get that page.
      for (const method of ['HEAD', 'OPTIONS', 'POST', 'DELETE'])
        await ask(`/l/${key}/`, { Origin: 'https://other.example' }, method)
      await ask(`/l/${key}`)
      told.push((await send(service.url, `GET /l/${key}/ HTTP/9.9\r\n\r\n`)).toString())
      told.push((await send(service.url, `CONNECT /l/${key}/ HTTP/1.1\r\n\r\n`)).toString())
    }
    for (const path of ['/admin/nothing', '/admin/preview/x']) await ask(path, { Cookie: cookie })
    for (const method of ['PUT', 'POST']) await ask('/admin', { Cookie: cookie }, method)
    await ask(`/admin?token=${token}&password=${testPassword.replaceAll(' ', '+')}`)
    return errors
  }

  expect(await askAll()).toBeGreaterThan(30)
  await service.clock.leap(2000)
  await askAll()
  await service.clock.leap(30 * 24 * 60 * 60 * 1000)
  await askAll()
  for (let time = 0; time < 7; time += 1) {
    const form = { password: `${testPassword}!${time}` }
    told.push((await createAdmin(service.url).post('/admin/sign-in', { form })).text)
  }
  for (const path of ['/metrics', '/status', '/readyz', '/']) told.push((await ask(path)).text)
  await waitFor(() => expect(service.lines.at(-1)).toContain('"route":"/"'))
  told.push(...service.lines)

  const all = told.join('\n')
  expect(all).toContain('"route":"/l/:key')
  expect(all).toMatch(
    /feedhouse_http_requests_total\{route="\/l\/:key\/calendar\.ics",status="200"/,
  )
  const [project] = service.sandbox.projects
  const secrets = [
    ...keys,
    token,
    session,
    testPassword,
    service.refreshToken,
    project?.refreshToken,
  ]
  for (const secret of secrets) {
    expect(secret?.length).toBeGreaterThan(15)
    expect(all.includes(secret ?? ''), `${secret} was told`).toBe(false)
  }
})
