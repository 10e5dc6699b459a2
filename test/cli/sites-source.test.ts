import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { createSitesSource, downloadLimits } from '../../src/cli/sites-source.ts'
import { ConfigError, SitesFileMissing } from '../../src/config/config-error.ts'
import type { SitesConfig } from '../../src/config/sites-config.ts'
import { sitesLocation } from '../../src/config/sites-location.ts'
import { createLogger } from '../../src/log.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { startHttpsServer } from '../support/https-server.ts'
import { listenLocally } from '../support/local-server.ts'
import { testDirectory } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

const secret = 'a-secret-token'

/** Parses names of sites, separated by spaces. A name that ends in `!` has an error. */
function parse(text: string): SitesConfig {
  if (text.startsWith('{')) throw new ConfigError(['sites.json is not valid JSON.'])
  const faulty = text
    .split(' ')
    .filter((name) => name.endsWith('!'))
    .map((name) => ({ name, publicUrl: undefined, faults: [`Site ${name} has a fault.`] }))
  return { text, faulty, sites: [] } as unknown as SitesConfig
}

/** Trusts a certificate authority until the test ends. */
function trust(caPem: string): void {
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, caPem])
  onTestFinished(() => setDefaultCACertificates(trusted))
}

/** A server with a sites file, which `serve` changes, and a source that downloads it. */
async function served(first: string | RequestListener) {
  const answer: RequestListener = (request, response) => {
    if (typeof current !== 'string') return current(request, response)
    const etag = `"${current}"`
    const isSame = request.headers['if-none-match'] === etag
    response.writeHead(isSame ? 304 : 200, { etag }).end(isSame ? undefined : current)
  }
  let current = first
  const requests: IncomingMessage[] = []
  const { url, caPem } = await startHttpsServer((request, response) => {
    requests.push(request)
    answer(request, response)
  })
  trust(caPem)
  const directory = testDirectory()
  const clock = createFakeClock()
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => lines.push(line) })
  const environment = { SITES_FILE: `${url}/${secret}/sites.json?key=${secret}`, DATA_DIR: '.' }
  const location = sitesLocation(environment, directory)
  const header = `Authorization: Bearer ${secret}`
  const start = () => createSitesSource(location, { header, clock, log })
  return {
    start,
    url,
    clock,
    directory,
    requests,
    copy: join(directory, '_sites-file.json'),
    log: () => lines.map((line) => JSON.parse(line) as { msg: string; source: string }),
    serve: (next: string | RequestListener) => (current = next),
  }
}

/** Loads the sites like `serve`, and keeps them. */
async function started({ start }: Awaited<ReturnType<typeof served>>) {
  const source = start()
  const { text } = await source.first(parse)
  source.keep(text)
  return { source, text }
}

const unavailable: RequestListener = (_request, response) => response.writeHead(503).end()

test('downloads the file with the header, and keeps a copy that only its owner can read', async () => {
  const server = await served('ashton')
  const { source, text } = await started(server)
  expect(text).toBe('ashton')
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${secret}`)
  expect(server.requests[0]?.url).toBe(`/${secret}/sites.json?key=${secret}`)
  expect(statSync(server.copy).mode & 0o777).toBe(0o600)
  expect(readdirSync(server.directory)).toEqual(['_sites-file.json'])
  const now = new Date(server.clock.now()).toISOString()
  expect(source.status()).toEqual({ source: server.url, since: now, checkedAt: now })
})

test('starts from the copy while the server is down, and says when it was first used', async () => {
  const server = await served('ashton')
  await started(server)
  const since = new Date(server.clock.now()).toISOString()
  await server.clock.advance(downloadLimits.outdatedMs)
  server.serve(unavailable)
  const { source, text } = await started(server)
  expect(text).toBe('ashton')
  expect(source.status()).toMatchObject({ since, checkedAt: null })
  expect(source.faults()).toEqual([])
  expect(server.log()).toEqual([
    expect.objectContaining({
      level: 'warn',
      since,
      source: server.url,
      msg: 'the sites file could not be downloaded: The server responded with status 503.',
    }),
  ])
})

test('cannot start without a copy, and says why', async () => {
  const server = await served(unavailable)
  const reason = `SITES_FILE ${server.url} cannot be downloaded. The server responded with status 503.`
  await expect(server.start().first(parse)).rejects.toThrow(new SitesFileMissing(reason))
})

test('downloads an unchanged file only once, even after a restart', async () => {
  const server = await served('ashton')
  await started(server)
  const { source } = await started(server)
  expect(server.requests.map(({ headers }) => headers['if-none-match'])).toEqual([
    undefined,
    '"ashton"',
  ])
  expect(source.text()).toBe('ashton')
})

test('ignores a copy from another URL, and a damaged one', async () => {
  const server = await served('ashton')
  await started(server)
  const copy = readFileSync(server.copy, 'utf8')
  server.serve(unavailable)
  for (const text of [copy.replace('/sites.json', '/other.json'), copy.slice(1)]) {
    writeFileSync(server.copy, text)
    await expect(server.start().first(parse)).rejects.toThrow(SitesFileMissing)
  }
})

test.for(['{', 'ashton dover!'])('starts with the copy if the new version is %o', async (bad) => {
  const server = await served('ashton')
  await started(server)
  server.serve(bad)
  const { source, text } = await started(server)
  expect(text).toBe('ashton')
  expect(source.text()).toBe(bad)
  expect(readFileSync(server.copy, 'utf8')).toContain('"text":"ashton"')
})

test('starts with a valid new version if the copy has become invalid', async () => {
  const server = await served('ashton')
  const { source } = await started(server)
  source.keep('{')
  expect((await started(server)).text).toBe('ashton')
})

test('checks at an interval and on request, and reports a server that stays down', async () => {
  const server = await served('ashton')
  const { source } = await started(server)
  const stopping = new AbortController()
  const checked: (readonly [string, boolean | undefined])[] = []
  const check = (isForced?: boolean) => checked.push([source.text(), isForced])
  const watching = source.watch(check, stopping.signal)
  await waitFor(() => expect(checked).toEqual([['ashton', undefined]]))
  server.serve('ashton milbrook')
  await server.clock.advance(downloadLimits.intervalMs)
  await waitFor(() => expect(checked).toHaveLength(2))
  expect(checked[1]).toEqual(['ashton milbrook', undefined])
  source.reload(check)
  await waitFor(() => expect(checked[2]).toEqual(['ashton milbrook', true]))
  server.serve(unavailable)
  source.reload(check)
  await waitFor(() => expect(checked).toHaveLength(4))
  expect(source.faults()).toEqual([])
  await server.clock.advance(downloadLimits.outdatedMs)
  expect(source.faults()).toEqual(['The server responded with status 503.'])
  server.serve('ashton')
  source.reload(check)
  await waitFor(() => expect(source.faults()).toEqual([]))
  expect(server.log().map(({ msg }) => msg)).toEqual([
    'the sites file could not be downloaded: The server responded with status 503.',
    'the sites file can be downloaded again',
  ])
  stopping.abort()
  await watching
})

test('stops immediately while a server does not respond', async () => {
  const server = await served('ashton')
  const { source } = await started(server)
  server.serve(() => undefined)
  const stopping = new AbortController()
  const watching = source.watch(() => expect.fail('nothing to check'), stopping.signal)
  await waitFor(() => expect(server.requests).toHaveLength(2))
  stopping.abort()
  await watching
  expect(server.log()).toEqual([])
})

test('does not follow redirects, even on the same server', async () => {
  const server = await served((_request, response) =>
    response.writeHead(302, { location: '/other.json' }).end('ashton'),
  )
  await expect(server.start().first(parse)).rejects.toThrow('redirects are not followed')
  expect(server.requests).toHaveLength(1)
})

test.for([
  ['is larger', ' '.repeat(downloadLimits.maxBodyBytes + 1)],
  ['has more lists', `[${'[],'.repeat(downloadLimits.maxThings)}[]]`],
])('rejects a file that %s than allowed', async ([, text = '']) => {
  const server = await served((_request, response) => {
    response.end(text)
  })
  await expect(server.start().first(parse)).rejects.toThrow(
    'The response is larger than 16 MiB, or has more than 100000 objects and lists.',
  )
})

test('sends nothing to a server whose certificate is not trusted, or that does not use https', async () => {
  const server = await served('ashton')
  rmSync(server.copy, { force: true })
  setDefaultCACertificates([])
  await expect(server.start().first(parse)).rejects.toThrow(
    'The connection failed: certificate from an unknown authority',
  )
  const received: IncomingMessage[] = []
  const plain = createServer((request) => received.push(request))
  const port = await listenLocally(plain)
  const location = sitesLocation({ SITES_FILE: `https://127.0.0.1:${port}/` }, server.directory)
  const { clock } = server
  const options = { header: undefined, clock, log: createLogger('silent') }
  await expect(createSitesSource(location, options).first(parse)).rejects.toThrow('no TLS')
  expect([server.requests, received]).toEqual([[], []])
})

test('writes no secrets to the log or messages', async () => {
  const server = await served('ashton')
  const { source } = await started(server)
  server.serve(unavailable)
  source.reload(() => undefined)
  await waitFor(() => expect(server.log()).toHaveLength(1))
  expect(JSON.stringify([server.log(), source.status()])).not.toContain(secret)
})
