import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { codeTries } from '../../src/hosting/setup-access.ts'
import { outputUntil, resultOf, run } from '../support/command-line.ts'
import { freePort } from '../support/free-port.ts'
import { startHttpsServer } from '../support/https-server.ts'
import { testDirectory } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'
import { startWebsite } from '../support/website.ts'

type Fields = Readonly<Record<string, string>>

/** Starts Feedhouse without settings for a website, and returns a client of the setup page. */
async function startSetup(environment: Fields = {}, directory = testDirectory()) {
  const port = String(await freePort())
  const child = run(directory, ['serve'], { SETUP: 'yes', PORT: port, ...environment })
  const output: string[] = []
  const log: string[] = []
  child.stdout.on('data', (chunk) => output.push(String(chunk)))
  child.stderr.on('data', (chunk) => log.push(String(chunk)))
  /** Returns the latest code, after this many. */
  const codeAfter = (earlier: number) =>
    waitFor(() => {
      const codes = [...output.join('').matchAll(/this code: (\S+)\n/g)]
      expect(codes).toHaveLength(earlier + 1)
      return codes[earlier]?.[1] ?? ''
    })
  const isServing = () =>
    waitFor(() => expect(output.join('')).toMatch(/Feedhouse serves https[^]*Stop with Ctrl\+C/))
  const code = await codeAfter(0)
  const url = `http://127.0.0.1:${port}`
  return { child, directory, output, code, codeAfter, isServing, url, log, ...clientAt(url) }
}

/** Returns a client that sends these headers. */
function clientAt(url: string, own: Fields = {}) {
  const post = async (path: string, fields: Fields, more: Fields = {}) => {
    const body = new URLSearchParams(fields)
    const headers = { ...own, ...more }
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const visit = async (more: Fields = {}) => {
    const response = await fetch(`${url}/`, { headers: { ...own, ...more } })
    return response.text()
  }
  return { post, visit }
}

/** Starts Feedhouse, and enters the code. */
async function openSetup(...options: Parameters<typeof startSetup>) {
  const started = await startSetup(...options)
  const { headers } = await started.post('/setup/code', { code: started.code })
  const [cookie = ''] = headers.get('set-cookie')?.split(';') ?? []
  return { ...started, ...clientAt(started.url, { cookie }) }
}

const formOf = (text: string) => /<form[^]*<\/form>/.exec(text)?.[0] ?? ''
const asksForSettings = (text: string) => formOf(text).includes('name="SITE_URL"')
const asksForCode = (text: string) => formOf(text).includes('name="code"')

/** Starts a website, and returns what to enter for it. */
async function enteredForWebsite() {
  const { settings, sandbox } = await startWebsite()
  const { SITE_CA_FILE, ...fields } = settings
  return { environment: { SITE_CA_FILE }, fields: { ...fields, SITE_NAME: 'Ashton Fire' }, sandbox }
}

test('checks the settings, saves them and serves the website without a restart', async () => {
  const { environment, fields } = await enteredForWebsite()
  const directory = testDirectory()
  writeFileSync(join(directory, '.env'), '# Mine\nPAST_DAYS=30\n')
  const { post, visit, child, url, log, isServing } = await openSetup(environment, directory)
  expect(asksForSettings(await visit())).toBe(true)
  const { status, text } = await post('/setup', fields)
  expect(status).toBe(200)
  expect(text).toContain('<h2>Ready</h2>')
  expect(text).toMatch(/<b class="ok">OK<\/b> <span>https:\S+ can be reached, its certificate/)
  expect(text.match(/<b class="ok">/g)).toHaveLength(19)
  expect(await (await fetch(`${url}/`)).text()).toContain('Ashton Fire')
  expect((await fetch(`${url}/events.ics`)).status).toBe(200)
  await isServing()
  const path = join(directory, '.env')
  expect(readFileSync(path, 'utf8')).toMatch(/^# Mine\nPAST_DAYS=30\nSITE_URL=/)
  expect(parseEnv(readFileSync(path, 'utf8'))).toEqual({
    PAST_DAYS: '30',
    SITE_URL: fields.SITE_URL,
    SITE_NAME: 'Ashton Fire',
    SITE_TIME_ZONE: fields.SITE_TIME_ZONE,
    SITE_REFRESH_TOKEN_FILE: 'refresh-token',
  })
  const token = join(directory, 'refresh-token')
  expect(readFileSync(token, 'utf8')).toBe(`${fields.SITE_REFRESH_TOKEN}\n`)
  expect(statSync(token).mode & 0o777).toBe(0o600)
  expect([text, ...log].join('')).not.toContain(fields.SITE_REFRESH_TOKEN)

  child.kill('SIGINT')
  await child.exited
  const again = run(directory, ['serve'], { SETUP: 'yes', ...environment })
  expect(await outputUntil(again, /Stop with Ctrl\+C/)).toContain(fields.SITE_URL)
})

test('reports what the website refuses, and keeps what was entered', async () => {
  const { environment, fields } = await enteredForWebsite()
  const { post, directory } = await openSetup(environment)
  const wrong = { ...fields, SITE_REFRESH_TOKEN: 'wrong', SITE_NAME: '"Ashton" & <Sons>' }
  const { text } = await post('/setup', wrong)
  expect(text).toMatch(/<b class="wrong">Problem<\/b> <span>[^<]*Enter it below/)
  expect(text).toContain('Nothing has been saved yet.')
  expect(formOf(text)).toContain('value="&quot;Ashton&quot; &amp; &lt;Sons&gt;"')
  expect(formOf(text)).toContain(`value="${fields.SITE_URL}"`)
  expect(text).not.toContain('value="wrong"')
  expect(existsSync(join(directory, '.env'))).toBe(false)

  const corrected = await post('/setup', { ...wrong, ...fields })
  expect(corrected.text).toContain('<h2>Ready</h2>')
})

test('saves settings that fail the check if the webmaster insists, with the token entered before', async () => {
  const { environment, fields, sandbox } = await enteredForWebsite()
  const { post, directory, isServing } = await openSetup(environment)
  await sandbox[Symbol.asyncDispose]()
  const failed = await post('/setup', fields)
  expect(failed.text).toContain('name="skip"')
  expect(failed.text).toContain('Leave this empty to use the token that you have already entered.')
  const { text } = await post('/setup', { ...fields, SITE_REFRESH_TOKEN: '', skip: '1' })
  expect(text).toContain('<h2>Ready</h2>')
  await isServing()
  const token = readFileSync(join(directory, 'refresh-token'), 'utf8')
  expect(token).toBe(`${fields.SITE_REFRESH_TOKEN}\n`)
})

test('asks for the token again if it was for another website', async () => {
  const { post } = await openSetup()
  const site = { SITE_URL: 'https://www.example.org', SITE_TIME_ZONE: 'Nowhere' }
  expect((await post('/setup', { ...site, SITE_REFRESH_TOKEN: 'x' })).status).toBe(400)
  const other = await post('/setup', { ...site, SITE_URL: 'https://other.example' })
  expect(other.text).toContain('Enter the refresh token of the API Project.')
})

const ownToken = 'token-of-the-operator'

test.for([
  ['a file', { SITE_REFRESH_TOKEN_FILE: 'own-token' }],
  ['the settings file', { SITE_REFRESH_TOKEN: ownToken }],
] as const)('never sends a token in %s to a website entered on the page', async ([, set]) => {
  const { website, environment, authorizations } = await startRecordedWebsite()
  const { post } = await openSetup(environment, directoryWith(set))
  expect(await post('/setup', { ...website, skip: '1' })).toMatchObject({
    status: 400,
    text: expect.stringContaining('Enter the refresh token of the API Project.'),
  })
  await post('/setup', { ...website, SITE_REFRESH_TOKEN: 'entered' })
  expect(authorizations()).toEqual(['Bearer entered'])
})

test.for([
  { name: 'SITE_REFRESH_TOKEN_FILE', value: 'own-token' },
  { name: 'SITE_REFRESH_TOKEN', value: ownToken },
])('sends the token in $name of the environment only after it is entered', async (set) => {
  const { website, environment, authorizations } = await startRecordedWebsite()
  const { post } = await openSetup({ ...environment, [set.name]: set.value }, directoryWith({}))
  for (const [token, fault] of [
    ['', 'Enter the refresh token of the API Project.'],
    ['other', 'Refresh token must be the one in the environment.'],
    ['', 'Enter the refresh token of the API Project.'],
  ] as const) {
    const { status, text } = await post('/setup', {
      ...website,
      SITE_REFRESH_TOKEN: token,
      skip: '1',
    })
    expect([status, text]).toEqual([400, expect.stringContaining(fault)])
  }
  expect(authorizations()).toEqual([])
  await post('/setup', { ...website, SITE_REFRESH_TOKEN: ownToken })
  expect(authorizations()).toEqual([`Bearer ${ownToken}`])
})

/** Returns a directory with a token in `own-token` and these settings. */
function directoryWith(set: Fields): string {
  const directory = testDirectory()
  writeFileSync(join(directory, 'own-token'), `${ownToken}\n`)
  const lines = Object.entries(set).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(directory, '.env'), lines.join(''))
  return directory
}

/** Starts a website that refuses every token and records it. */
async function startRecordedWebsite() {
  const found = new Set<string>()
  const { url, caPem } = await startHttpsServer((request, response) => {
    found.add(request.headers.authorization ?? '')
    response.writeHead(401).end()
  })
  const caFile = join(testDirectory(), 'ca.pem')
  writeFileSync(caFile, caPem)
  return {
    website: { SITE_URL: url, SITE_TIME_ZONE: 'America/New_York' },
    environment: { SITE_CA_FILE: caFile },
    authorizations: () => [...found].filter((text) => text !== ''),
  }
}

const valid = {
  SITE_URL: 'www.example.org/index.html',
  SITE_REFRESH_TOKEN: 'x',
  SITE_TIME_ZONE: 'America/New_York',
  SITE_NAME: 'Ashton',
  PUBLIC_URL: '',
}

test.for([
  [{ SITE_URL: '' }, 'Enter the address of the website.'],
  [{ SITE_URL: 'http://www.example.org' }, 'Website must be an https URL without a path, like'],
  [{ SITE_REFRESH_TOKEN: ' ' }, 'Enter the refresh token of the API Project.'],
  [{ SITE_REFRESH_TOKEN: '"x"' }, 'Refresh token must be only the token, without quotes.'],
  [{ SITE_TIME_ZONE: '' }, 'Enter the time zone of the website, like America/New_York.'],
  [{ SITE_TIME_ZONE: 'EST5' }, 'Time zone must be the name of a time zone, like America/New_York'],
  [{ PUBLIC_URL: 'feeds' }, 'Public URL must be an http or https URL, like'],
  [{ SITE_NAME: 'A\u200Bshton' }, 'Name contains'],
] as const)('explains invalid input in one sentence: %o', async ([changes, sentence]) => {
  const { post, directory } = await openSetup()
  const { status, text } = await post('/setup', { ...valid, ...changes })
  expect(status).toBe(400)
  const [, ...faults] = text.split('role="alert">')
  expect(faults).toHaveLength(1)
  expect(faults[0]).toContain(sentence)
  const form = formOf(text)
  const { SITE_URL = 'https://www.example.org', SITE_TIME_ZONE = valid.SITE_TIME_ZONE } =
    changes as Fields
  expect(form).toContain(`name="SITE_URL" value="${SITE_URL}"`)
  expect(form).toContain(`name="SITE_TIME_ZONE" value="${SITE_TIME_ZONE}"`)
  expect(existsSync(join(directory, '.env'))).toBe(false)
})

test('shows settings in the environment, which take precedence, but not their secrets', async () => {
  const { environment, fields } = await enteredForWebsite()
  const set = { ...environment, SITE_REFRESH_TOKEN: fields.SITE_REFRESH_TOKEN, SITE_NAME: 'Set' }
  const { post, visit, directory } = await openSetup(set)
  const form = formOf(await visit())
  expect(form).not.toContain('name="SITE_NAME"')
  expect(form).toContain('Set in the environment as <code>SITE_NAME</code>.')
  expect(form).toContain('The one in the environment’s SITE_REFRESH_TOKEN.')
  expect(form).not.toContain(fields.SITE_REFRESH_TOKEN)
  const { SITE_URL, SITE_TIME_ZONE } = fields
  const { text } = await post('/setup', { ...fields, SITE_NAME: 'Other' })
  expect(text).toContain('<h2>Ready</h2>')
  const saved = parseEnv(readFileSync(join(directory, '.env'), 'utf8'))
  expect(saved).toEqual({ SITE_URL, SITE_TIME_ZONE })
})

test('needs a code that is good for one browser, even on this machine', async () => {
  const { code, codeAfter, post, visit, output, log } = await startSetup()
  expect(asksForCode(await visit())).toBe(true)
  expect((await post('/setup', valid)).status).toBe(403)
  const entered = await post('/setup/code', { code: ` ${code.toUpperCase().replace('-', ' ')} ` })
  expect([entered.status, entered.headers.get('location')]).toEqual([303, '/'])
  const cookie = entered.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/^feedhouse-setup=[\w-]{27}; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(asksForSettings(await visit({ cookie: cookie.split(';')[0] ?? '' }))).toBe(true)
  expect(asksForCode(await visit({ cookie: 'feedhouse-setup=x' }))).toBe(true)
  expect((await post('/setup/code', { code })).status).toBe(403)
  const next = await codeAfter(1)
  expect(output.join('')).toMatch(`This link opens it in another one:\n`)
  expect((await post('/setup/code', { code: next })).status).toBe(303)
  expect(log.join('')).not.toContain(code)
})

test.for([
  [{}, /^http:\/\/127\.0\.0\.1:\d+\/$/],
  [{ HOST: '0.0.0.0' }, /^http:\/\/127\.0\.0\.1:\d+\/$/],
  [{ HOST: '::' }, /^http:\/\/127\.0\.0\.1:\d+\/$/],
  [{ HOST: '::1' }, /^http:\/\/\[::1\]:\d+\/$/],
  [{ PUBLIC_URL: 'https://feeds.example.org/fire' }, /^https:\/\/feeds\.example\.org\/fire\/$/],
] as const)('prints a link with the code: %o', async ([environment, address]) => {
  const { output, code } = await startSetup(environment)
  const [first, link = '', other] = output.join('').split('\n')
  expect(first).toBe('Feedhouse is not set up yet. Open this link, which works in one browser:')
  const [page, part] = link.split('#')
  expect([page, part]).toEqual([expect.stringMatching(address), `code=${code}`])
  expect(other).toBe(
    `If you reach Feedhouse at another address, open that and enter this code: ${code}`,
  )
})

test('limits wrong codes, so that they do not keep out the operator', async () => {
  const { post, code } = await startSetup()
  for (let tries = 0; tries < codeTries.ofClient; tries += 1) {
    const { status, text } = await post('/setup/code', { code: 'wrong' })
    expect([status, text]).toEqual([403, expect.stringContaining('This code is wrong')])
  }
  const { status, headers } = await post('/setup/code', { code: 'wrong' })
  expect(status).toBe(429)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(50)
  expect((await post('/setup/code', { code })).status).toBe(303)
})

test('rejects forms from other websites', async () => {
  const { post, url, codeAfter } = await openSetup()
  const code = await codeAfter(1)
  const origin = 'https://attacker.example'
  expect((await post('/setup', valid, { origin })).status).toBe(403)
  expect((await post('/setup/code', { code }, { origin })).text).toContain('at another address')
  expect((await post('/setup', { ...valid, SITE_URL: '' }, { origin: url })).status).toBe(400)
})

test('tells readers and load balancers to come back later, and shows pages to nobody else', async () => {
  const { url } = await startSetup()
  for (const path of ['/events.ics', '/l/x/', '/admin', '/status', '/readyz']) {
    expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 503])
  }
  const form = await fetch(`${url}/`)
  expect(form.headers.get('cache-control')).toBe('no-store')
  const moved = await fetch(`${url}/setup`, { redirect: 'manual' })
  expect([moved.status, moved.headers.get('location')]).toEqual([303, '/'])
})

test('writes to SETTINGS_FILE, which may be a link, and reads it from then on', async () => {
  const { environment, fields } = await enteredForWebsite()
  const elsewhere = testDirectory()
  const set = { ...environment, SETTINGS_FILE: join(testDirectory(), 'feedhouse.env') }
  const target = join(elsewhere, 'settings.env')
  writeFileSync(target, '# Of the package\n')
  symlinkSync(target, set.SETTINGS_FILE)
  const { post, directory, isServing } = await openSetup(set)
  expect((await post('/setup', fields)).text).toContain('<h2>Ready</h2>')
  await isServing()
  expect(readFileSync(target, 'utf8')).toMatch(/^# Of the package\n/)
  const saved = parseEnv(readFileSync(set.SETTINGS_FILE, 'utf8'))
  expect(saved['SITE_REFRESH_TOKEN_FILE']).toBe(join(elsewhere, 'refresh-token'))
  const { code } = await resultOf(run(directory, ['link', 'list'], set))
  expect(code).toBe(0)
})

test('does not start if the file could not be written, or with other invalid settings', async () => {
  const directory = testDirectory()
  const set = { SETUP: 'yes', SETTINGS_FILE: 'missing/.env' }
  const unwritable = await resultOf(run(directory, ['serve'], set))
  expect(unwritable).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^\S+missing\/\.env cannot be written \(ENOENT\)\./),
  })
  const invalid = await resultOf(run(directory, ['serve'], { SETUP: 'yes', PORT: 'x' }))
  expect(invalid).toMatchObject({ code: 1, stderr: expect.stringMatching(/^PORT must be/) })
  const misspelled = await resultOf(run(directory, ['serve'], { SETUP: 'maybe' }))
  expect(misspelled.stderr).toBe('SETUP must be yes or no.\n')
})

test('reports on the page that the file cannot be written any more', async () => {
  const { environment, fields } = await enteredForWebsite()
  const { post, directory } = await openSetup(environment)
  const path = join(directory, 'refresh-token')
  mkdirSync(path)
  const { text } = await post('/setup', { ...fields, skip: '1' })
  expect(text).toContain(`<b class="wrong">Problem</b> <span>${path} cannot be written (EISDIR).`)
  rmdirSync(path)
  expect((await post('/setup', fields)).text).toContain('<h2>Ready</h2>')
})

test('stops on a signal', async () => {
  const { child } = await startSetup()
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})
