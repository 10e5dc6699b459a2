import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { codeTries } from '../../src/hosting/setup-access.ts'
import { outputUntil, resultOf, run } from '../support/command-line.ts'
import { freePort } from '../support/free-port.ts'
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
  const post = async (path: string, fields: Fields, headers: Fields = {}) => {
    const body = new URLSearchParams(fields)
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const visit = async (headers: Fields = {}) => (await fetch(`${url}/`, { headers })).text()
  return { child, directory, output, code, codeAfter, isServing, url, log, post, visit }
}

/** Sends a request with any `Host` header. */
function visitAs(url: string, host: string, connection = 'keep-alive'): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const headers = { host, ...(connection !== '' && { connection }) }
  request(url, { headers, setDefaultHeaders: false }, (response) => {
    let text = ''
    response.on('data', (chunk) => (text += String(chunk))).on('end', () => resolve(text))
  })
    .on('error', reject)
    .end()
  return promise
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
  const { post, visit, child, url, log, isServing } = await startSetup(environment, directory)
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
  const { post, directory } = await startSetup(environment)
  const wrong = { ...fields, SITE_REFRESH_TOKEN: 'wrong', SITE_NAME: '"Ashton" & <Sons>' }
  const { text } = await post('/setup', wrong)
  expect(text).toMatch(/<b class="wrong">Problem<\/b> <span>[^<]*SITE_REFRESH_TOKEN/)
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
  const { post, directory, isServing } = await startSetup(environment)
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
  const { post } = await startSetup()
  const site = { SITE_URL: 'https://www.example.org', SITE_TIME_ZONE: 'Nowhere' }
  expect((await post('/setup', { ...site, SITE_REFRESH_TOKEN: 'x' })).status).toBe(400)
  const other = await post('/setup', { ...site, SITE_URL: 'https://other.example' })
  expect(other.text).toContain('Enter the refresh token of the API Project.')
})

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
  [{ SITE_TIME_ZONE: 'EST5' }, 'Time zone must be a time zone, like America/New_York'],
  [{ PUBLIC_URL: 'feeds' }, 'Public URL must be an http or https URL, like'],
  [{ SITE_NAME: 'A\u200Bshton' }, 'Name contains'],
] as const)('explains invalid input in one sentence: %o', async ([changes, sentence]) => {
  const { post, directory } = await startSetup()
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
  const { post, visit, directory } = await startSetup(set)
  const form = formOf(await visit())
  expect(form).not.toMatch(/name="SITE_(?:NAME|REFRESH_TOKEN)"/)
  expect(form).toContain('Set in the environment as <code>SITE_REFRESH_TOKEN</code>.')
  expect(form).not.toContain(fields.SITE_REFRESH_TOKEN)
  const { SITE_URL, SITE_TIME_ZONE } = fields
  const { text } = await post('/setup', { SITE_URL, SITE_TIME_ZONE, SITE_NAME: 'Other' })
  expect(text).toContain('<h2>Ready</h2>')
  const saved = parseEnv(readFileSync(join(directory, '.env'), 'utf8'))
  expect(saved).toEqual({ SITE_URL, SITE_TIME_ZONE })
})

test('needs a code that is good for one browser where others could reach it', async () => {
  const { code, codeAfter, post, visit, output, log } = await startSetup({ HOST: '0.0.0.0' })
  expect(output.join('')).toMatch(/^Feedhouse is not set up yet\. Open .*\nEnter this code: \S+\n$/)
  expect(asksForCode(await visit())).toBe(true)
  expect((await post('/setup', valid)).status).toBe(403)
  const entered = await post('/setup/code', { code: ` ${code.toUpperCase().replace('-', ' ')} ` })
  expect([entered.status, entered.headers.get('location')]).toEqual([303, '/'])
  const cookie = entered.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/^feedhouse-setup=[\w-]{27}; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(asksForSettings(await visit({ cookie: cookie.split(';')[0] ?? '' }))).toBe(true)
  expect(asksForCode(await visit({ cookie: 'feedhouse-setup=x' }))).toBe(true)
  expect((await post('/setup/code', { code })).status).toBe(403)
  expect((await post('/setup/code', { code: await codeAfter(1) })).status).toBe(303)
  expect(log.join('')).not.toContain(code)
})

test.for([
  ['through a proxy', { 'x-forwarded-for': '203.0.113.7' }],
  ['through another proxy', { via: '1.1 proxy' }],
] as const)('needs a code on this machine %s', async ([, headers]) => {
  const { visit, post } = await startSetup()
  expect(asksForCode(await visit(headers))).toBe(true)
  expect((await post('/setup', valid, headers)).status).toBe(403)
})

test.for([{ TRUST_PROXY: '1' }, { PUBLIC_URL: 'https://feeds.example.org' }] as const)(
  'needs a code with settings for a proxy: %o',
  async (environment) => {
    const { visit } = await startSetup(environment)
    expect(asksForCode(await visit())).toBe(true)
  },
)

test.for(['close', ''])(
  'needs a code through a proxy that only changes the connection: %j',
  async (connection) => {
    const { url } = await startSetup()
    expect(asksForCode(await visitAs(url, new URL(url).host, connection))).toBe(true)
    expect(asksForSettings(await visitAs(url, new URL(url).host))).toBe(true)
  },
)

test('needs a code at a host name that an attacker could have pointed to this machine', async () => {
  const { url } = await startSetup()
  const { port } = new URL(url)
  expect(asksForCode(await visitAs(url, `rebound.example:${port}`))).toBe(true)
  expect(asksForSettings(await visitAs(url, `localhost:${port}`))).toBe(true)
})

test('limits wrong codes', async () => {
  const { post, code } = await startSetup({ HOST: '0.0.0.0' })
  for (let tries = 0; tries < codeTries.ofClient; tries += 1) {
    const { status, text } = await post('/setup/code', { code: 'wrong' })
    expect([status, text]).toEqual([403, expect.stringContaining('Wrong code.')])
  }
  const { status, headers } = await post('/setup/code', { code })
  expect(status).toBe(429)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(50)
})

test('rejects forms from other websites', async () => {
  const { post, url, code } = await startSetup()
  const origin = 'https://attacker.example'
  expect((await post('/setup', valid, { origin })).status).toBe(403)
  expect((await post('/setup/code', { code }, { origin })).status).toBe(403)
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
  const { post, directory, isServing } = await startSetup(set)
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
  const { post, directory } = await startSetup(environment)
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
