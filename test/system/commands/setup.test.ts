import { writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import { outputUntil, runProcess } from '../../support/command-line.ts'
import { startHttpsServer } from '../../support/https-server.ts'
import { listenLocally } from '../../support/local-server.ts'
import { nginxIsMissing, startNginxWith } from '../../support/nginx.ts'
import { testDirectory } from '../../support/service.ts'

type Fields = Readonly<Record<string, string>>

/** Starts the front and its worker, with a token in `.env` but no website. */
async function startSetup(environment: Fields = {}) {
  const directory = testDirectory()
  writeFileSync(join(directory, '.env'), 'SITE_REFRESH_TOKEN_FILE=own-token\n')
  writeFileSync(join(directory, 'own-token'), 'token-of-the-operator\n')
  const child = runProcess(directory, ['serve'], { SETUP: 'yes', ...environment })
  const output = await outputUntil(child, /this code: \S+\n/)
  const [, url = '', code = ''] = /(http:\S+)\/#code=(\S+)/.exec(output) ?? []
  return { url, code }
}

/** Requests a page, or sends a form. */
async function ask(url: string, headers: Fields = {}, form?: Fields) {
  const sent = form && { method: 'POST' as const, body: new URLSearchParams(form).toString() }
  const type = sent && { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await request(url, { ...sent, headers: { ...type, ...headers } })
  const cookie = String(response.headers['set-cookie'] ?? '').split(';')[0] ?? ''
  return { status: response.statusCode, cookie, text: await response.body.text() }
}

/** Host names of a browser on this machine, and those that proxies send. */
const hosts = ['localhost', '127.0.0.1', 'localhost:8080', '[::1]:8080', 'feeds.example.org']

const settings = {
  SITE_URL: 'https://localhost:1',
  SITE_REFRESH_TOKEN: 'entered',
  SITE_TIME_ZONE: 'America/New_York',
}

/** Returns the host names with which the page can be opened without its code. */
async function openHosts(url: string): Promise<readonly string[]> {
  const open: string[] = []
  for (const host of hosts) {
    const { text } = await ask(`${url}/`, { host })
    const sent = await ask(`${url}/setup`, { host }, { ...settings, skip: '1' })
    const isClosed = text.includes('name="code"') && !text.includes('name="SITE_URL"')
    if (!isClosed || sent.status !== 403) open.push(host)
  }
  return open
}

/** Forwards connections unchanged, so requests look as if they came from a browser on this machine. */
async function startForwarder(to: string): Promise<string> {
  const { port, hostname } = new URL(to)
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  return `http://127.0.0.1:${await listenLocally(server)}`
}

test('the setup page needs its code on this machine, and through a proxy that forwards connections', async () => {
  const { url, code } = await startSetup()
  const forwarded = await startForwarder(url)
  expect(await openHosts(url)).toEqual([])
  expect(await openHosts(forwarded)).toEqual([])
  const { status, cookie } = await ask(`${forwarded}/setup/code`, {}, { code })
  expect(status).toBe(303)
  expect((await ask(`${forwarded}/`, { cookie })).text).toContain('name="SITE_URL"')
})

describe.skipIf(nginxIsMissing)('through nginx', () => {
  test.for([
    [''],
    ['proxy_set_header Host $http_host;'],
    ['proxy_http_version 1.1; proxy_set_header Connection "";'],
    ['proxy_http_version 1.1; proxy_set_header Connection keep-alive;'],
  ])('the setup page needs its code with proxy_pass and "%s"', async ([directives]) => {
    const { url } = await startSetup()
    const proxy = await startNginxWith(`location / { proxy_pass ${url}; ${directives} }`)
    expect(await openHosts(proxy)).toEqual([])
  })
})

test('a token in the settings is not sent to a website that was entered', async () => {
  const received: string[] = []
  const website = await startHttpsServer(({ headers }, response) => {
    received.push(headers.authorization ?? '')
    response.writeHead(401).end()
  })
  const SITE_CA_FILE = join(testDirectory(), 'ca.pem')
  writeFileSync(SITE_CA_FILE, website.caPem)
  const { url, code } = await startSetup({ SITE_CA_FILE })
  const { cookie } = await ask(`${url}/setup/code`, {}, { code })
  const send = (token: string, more: Fields = {}) => {
    const form = { ...settings, SITE_URL: website.url, SITE_REFRESH_TOKEN: token, ...more }
    return ask(`${url}/setup`, { cookie }, form)
  }
  expect((await send('')).status).toBe(400)
  expect((await send('', { skip: '1' })).status).toBe(400)
  expect(received).toEqual([])
  expect((await send('entered')).text).toContain('Nothing has been saved yet.')
  expect(received).toContain('Bearer entered')
  expect(received.join()).not.toContain('token-of-the-operator')
})
