import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { demoSettings } from '../../src/cli/demo.ts'
import { createOutput } from '../../src/cli/output.ts'
import { adminEnvironment, createAdmin } from '../support/admin.ts'
import { freePort } from '../support/free-port.ts'
import { outputUntil, resultOf, run } from '../support/command-line.ts'
import { listenLocally } from '../support/local-server.ts'
import { temporaryDirectory, testDirectory } from '../support/service.ts'
import { allowConcurrentTests } from '../support/test-end.ts'
import { waitFor } from '../support/wait-for.ts'

allowConcurrentTests()

/** For tests that mostly wait for the demo, which runs on the real clock. */
const together = { concurrent: true }

/** Interval between checks while the demo reads its website, which takes seconds. */
const rareMs = 200

const urlOf = (output: string) => /Home page +(http:\S+)\/\n/.exec(output)?.[1] ?? ''

const invalidSite = {
  SITE_URL: 'https://feedhouse.invalid',
  SITE_REFRESH_TOKEN: 'a-refresh-token',
  SITE_TIME_ZONE: 'America/New_York',
}

test('applies PUBLIC_FEEDS and SITE_LANGUAGE to the demo', async () => {
  using directory = temporaryDirectory()
  mkdirSync(join(directory.path, 'data'))
  // The demo uses the same data directory as the stores of real websites.
  writeFileSync(join(directory.path, 'data', 'www.example.org.sqlite'), '')
  const child = run(directory.path, ['serve'], { PUBLIC_FEEDS: 'news', SITE_LANGUAGE: 'fr-CA' })
  const output = await outputUntil(child, /Stop with Ctrl\+C/)
  expect(output).not.toContain('.ics')
  const [feed = ''] = /http:\S+news\.json/.exec(output) ?? []
  expect(await (await fetch(feed)).json()).toMatchObject({ language: 'fr-CA' })
})

test('shows what a neighbor sees, without log lines in a terminal, and how to see more', async () => {
  const child = run(testDirectory(), ['serve'], {}, { isTTY: true })
  const shown = await outputUntil(child, /Stop with Ctrl\+C/)
  expect(shown).not.toMatch(/"level"|\/l\/|\/admin\n|password [\w-]{16}/)
  expect(shown).toContain("  ADMIN_PASSWORD='correct horse battery' npm start\n")
  const url = urlOf(shown)
  const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status
  expect(await Promise.all(['/board', '/admin', '/follow'].map(statusOf))).toEqual([200, 404, 404])
})

test.each([
  { HOST: '0.0.0.0' },
  { HOST: '::' },
  { SMTP_URL_FILE: 'smtp' },
  { REDIS_URL: 'redis://127.0.0.1' },
])('the demo invents neither a URL nor emails with %o', async (environment) => {
  const settings = { ADMIN_PASSWORD: 'correct horse battery', ...environment }
  await using running = new AsyncDisposableStack()
  expect(await demoSettings(settings, running, { stdout: createOutput(process.stdout) })).toEqual({
    DAV: 'yes',
    ...settings,
  })
})

test(
  'with a password, the demo also has accounts, and emails whose links it prints',
  together,
  async () => {
    const settings = { ...adminEnvironment, PORT: String(await freePort()) }
    const child = run(testDirectory(), ['serve'], settings, { isTTY: true })
    let output = ''
    child.stdout.on('data', (chunk) => (output += String(chunk)))
    await waitFor(() => expect(output).toContain('Stop with Ctrl+C'))
    expect(output).toContain('Emails are not sent. Their subjects and links appear below.\n')
    const url = urlOf(output)
    expect((await fetch(`${url}/dav/`, { method: 'PROPFIND' })).status).toBe(401)
    const fields = { address: 'a@b.example', feed: 'news', weekly: '1', day: '3', hour: '7' }
    const signUp = { method: 'POST', body: new URLSearchParams(fields), headers: { origin: url } }
    expect((await fetch(`${url}/follow`, signUp)).status).toBe(200)
    await waitFor(() => expect(output).toMatch(/^Email to a@b\.example: .+\n  http:.+\/confirm\//m))
    const [link = ''] = /http:\S+\/confirm\/\S+/.exec(output) ?? []
    expect((await fetch(link)).status).toBe(200)
  },
)

test('shows the demo’s links and password only in a terminal', together, async () => {
  const inTerminal = run(testDirectory(), ['serve'], adminEnvironment, { isTTY: true })
  const shown = await outputUntil(inTerminal, /Stop with Ctrl\+C/)
  expect(shown).toMatch(/A member’s link +http:\S+\/l\/[a-z2-7]{32}\/\n/)
  const [, member = ''] = /A member’s link +(\S+)/.exec(shown) ?? []
  const memberPage = async () => (await fetch(member)).text()
  await waitFor(async () => expect(await memberPage()).toMatch(/You: \w+</), rareMs)
  const [, officer = ''] = /Feed link \(full\) +(http:\S+\/l\/[a-z2-7]{32}\/)\n/.exec(shown) ?? []
  for (const path of ['roster', 'certifications']) {
    expect([path, (await fetch(`${officer}${path}`)).status]).toEqual([path, 200])
  }
  expect(shown).toMatch(/API Projects at\n  https:\S+  \(password [\w-]{16}\)\n/)

  const directory = testDirectory()
  const inContainer = { ...adminEnvironment, FEEDHOUSE_PLATFORM: 'container' }
  const logged = await outputUntil(run(directory, ['serve'], inContainer), /Stop with Ctrl\+C/)
  expect(logged).not.toMatch(/\/l\/|\(password/)
  const [, command = ''] = /run: docker exec feedhouse feedhouse (.+)\n/.exec(logged) ?? []
  const added = await resultOf(run(directory, command.split(' ')))
  expect(added.stdout).toMatch(/^http:\S+\/l\/[a-z2-7]{32}\/\n/)
  const [link = ''] = added.stdout.split('\n')
  expect((await fetch(link)).status).toBe(200)
})

test('keeps the demo’s links when its settings are changed on the admin page', async () => {
  const child = run(testDirectory(), ['serve'], adminEnvironment, { isTTY: true })
  const output = await outputUntil(child, /Stop with Ctrl\+C/)
  const [link = '', url = ''] = /(http:\S+)\/l\/\S+\//.exec(output) ?? []
  const admin = createAdmin(url)
  const { cookie, token } = await admin.signIn()
  const fields = { name: 'Miller Pond FD', place: '', color: '', logo: '', places: '', fresh: '' }
  const form = { token, ...fields, feeds: 'default', revision: '0' }
  expect((await admin.post('/admin/settings', { cookie, form })).status).toBe(303)
  const page = await fetch(link)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Miller Pond FD')])
})

test('denies other users access to secrets and stores', async () => {
  using directory = temporaryDirectory()
  const at = (name: string) => join(directory.path, name)
  for (const name of ['.env', 'password', 'www.example.org.sqlite']) {
    writeFileSync(at(name), name === 'password' ? 'correct horse battery' : '')
    chmodSync(at(name), 0o644)
  }
  const child = run(directory.path, ['serve'], {
    DATA_DIR: '.',
    ADMIN_PASSWORD_FILE: 'password',
    PUBLIC_FEEDS: 'news',
  })
  await outputUntil(child, /Stop with Ctrl\+C/)
  const modes = ['.env', 'password', 'www.example.org.sqlite', '_demo.sqlite'].map(
    (name) => statSync(at(name)).mode & 0o777,
  )
  expect(modes).toEqual([0o640, 0o640, 0o600, 0o600])
})

test('denies other users access to the secrets of several sites', async () => {
  using directory = temporaryDirectory()
  const at = (name: string) => join(directory.path, name)
  mkdirSync(at('settings'))
  const site = {
    SITE_URL: 'https://feedhouse.invalid',
    SITE_REFRESH_TOKEN_FILE: 'token',
    SITE_TIME_ZONE: 'America/New_York',
    PUBLIC_URL: 'https://feeds.example.org',
  }
  const faulty = { ADMIN_PASSWORD_FILE: '../password' }
  writeFileSync(at('settings/sites.json'), JSON.stringify({ ashton: site, milbrook: faulty }))
  writeFileSync(at('settings/token'), 'a-refresh-token')
  writeFileSync(at('password'), 'correct horse battery')
  const files = ['settings/sites.json', 'settings/token', 'password']
  for (const file of files) chmodSync(at(file), 0o644)
  const child = run(directory.path, ['serve'], { SITES_FILE: 'settings/sites.json' })
  const output = await outputUntil(child, /Stop with Ctrl\+C/)
  expect(output).toContain('Feedhouse serves one site at http://')
  expect(files.map((file) => statSync(at(file)).mode & 0o777)).toEqual([0o640, 0o640, 0o640])
})

test('does not make the demo reachable from other machines by mistake', async () => {
  using directory = temporaryDirectory()
  const settings = { PUBLIC_URL: 'https://feeds.example.org', PUBLIC_FEEDS: 'news' }
  expect(await resultOf(run(directory.path, ['serve'], settings))).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'PUBLIC_URL is https and SITE_URL is not set, so this would publish the demo. Set SITE_URL, or run serve --demo to publish the demo.\n',
  })
  const demo = run(directory.path, ['serve', '--demo'], settings)
  expect(await outputUntil(demo, /Stop with Ctrl\+C/)).toContain('the demo')
})

test('reports on one line that the port is in use, and exits with 1', async () => {
  const port = await listenLocally(createServer())
  const result = await resultOf(run(testDirectory(), ['serve'], { PORT: String(port) }))
  expect(result).toEqual({
    code: 1,
    stdout: '',
    stderr: `Another program, possibly another Feedhouse, is already listening on 127.0.0.1:${port}. Choose another port, for example: PORT=${port < 65_535 ? port + 1 : port - 1} npm start\n`,
  })
})

test.for([
  {
    fault: 'the demo of a configured site',
    args: ['--demo'],
    settings: invalidSite,
    says: ['--demo cannot be combined with SITE_URL or SITES_FILE.'],
  },
  {
    fault: 'each invalid setting',
    settings: { PORT: 'x', SITE_URL: 'http://a.example' },
    says: [
      'SITE_URL must be an https URL without a path, like https://www.example.org.',
      'SITE_REFRESH_TOKEN is missing. It is required with SITE_URL.',
      'SITE_TIME_ZONE is missing. It is required with SITE_URL.',
      'PORT must be a whole number from 0 to 65535.',
    ],
  },
])(
  'reports $fault on a line of its own, and exits with 1',
  async ({ args = [], settings, says }) => {
    const result = await resultOf(run(testDirectory(), ['serve', ...args], settings))
    expect(result).toEqual({ code: 1, stdout: '', stderr: `${says.join('\n')}\n` })
  },
)

test.for(['data', 'data/sandbox'])('reports that %s is a file, and exits with 1', async (name) => {
  using directory = temporaryDirectory()
  const file = join(directory.path, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  expect(await resultOf(run(directory.path, ['serve']))).toEqual({
    code: 1,
    stdout: '',
    stderr: `The data directory ${file} is not writable (EEXIST); set DATA_DIR to a writable directory.\n`,
  })
})

test.for([
  ['serve', { PORT: 'x' }, 78],
  ['serve', { SITES_FILE: 'none.json' }, 78],
  ['serve', { PUBLIC_URL: 'https://feeds.example.org' }, 78],
  ['serve', { DATA_DIR: '/dev/null' }, 1],
  ['serve', { HOST: '192.0.2.1' }, 1],
  ['check', { PORT: 'x' }, 1],
] as const)('under systemd, %s with %j exits with %i', async ([name, settings, status]) => {
  const environment = { FEEDHOUSE_PLATFORM: 'systemd', ...settings }
  expect(await run(testDirectory(), [name], environment).exited).toBe(status)
})
