import dns from 'node:dns'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Environment } from '../../src/config/environment.ts'
import { startBehindHttps } from '../support/behind-https.ts'
import { resultOf, run } from '../support/command-line.ts'
import { listenLocally } from '../support/local-server.ts'
import { startTestService } from '../support/service.ts'

const doctor = (...args: readonly string[]) => resultOf(run(tmpdir(), ['doctor', ...args]))

test('finds no faults in a service behind an https proxy', async () => {
  const { service, publicUrl } = await startBehindHttps()
  const link = await service.addLink({ profile: 'full' })
  for (const url of [`${publicUrl}/events.ics`, `${publicUrl}/`, `${link}calendar.ics`]) {
    const { code, stdout, stderr } = await doctor(url)
    expect(stdout).toContain(`${url}\nnote   connection   This address works only on this machine.`)
    expect(stdout).toMatch(/\nok {5}certificate {2}The certificate is trusted/)
    expect(stdout).not.toContain('FAULT')
    expect(stdout).toMatch(/\n\nNo faults found\. Apps can read this address\.\n$/)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  }
})

test('reports parameters without effect in the address', async () => {
  const { service, publicUrl } = await startBehindHttps()
  const link = await service.addLink({ feedIds: ['events'] })
  for (const base of [`${publicUrl}/`, link]) {
    const { code, stdout } = await doctor(`${base}events.ics?alram=30&foo=1&utm_source=x`)
    expect(code).toBe(0)
    expect(stdout).toContain(
      '\nnote   parameters   “alram” in the address has no effect. Did you mean “alarm”? “foo” in the address has no effect.\n',
    )
    expect((await doctor(`${base}events.ics?alarm=30&again=1`)).stdout).not.toContain('parameters')
  }
})

test('tests every feed of a subscribe page', async () => {
  const { service, publicUrl } = await startBehindHttps()
  const link = await service.addLink({ feedIds: ['rental', 'news'] })
  const { code, stdout } = await doctor(link)
  expect(code).toBe(0)
  expect(stdout).toContain('which names 4 feeds.')
  for (const file of ['rental.ics', 'news.rss', 'news.atom', 'news.json']) {
    expect(stdout).toContain(`\n${link}${file}\nok     content      The response is a complete `)
  }
  const { stdout: json } = await doctor(`${publicUrl}/`, '--json')
  const { url, ok, reports } = JSON.parse(json) as { url: string; ok: boolean; reports: unknown[] }
  expect({ url, ok }).toEqual({ url: `${publicUrl}/`, ok: true })
  expect(reports.length).toBeGreaterThan(5)
  expect(json.match(/\n/g)).toHaveLength(1)
})

/** Starts a service with feeds that do not change during the test. */
async function startQuietService(environment: Environment = {}) {
  const service = await startTestService({ publicFeedIds: ['rental', 'news'], environment })
  onTestFinished(() => service[Symbol.asyncDispose]())
  await service.readAll()
  await service.clock.advance(1_000)
  return service
}

test('does not require https within a machine', async () => {
  const { url } = await startQuietService()
  const { code, stdout } = await doctor(`${url}/`)
  expect(stdout).toMatch(/^http:\S+\nnote   connection   This address works only on this machine\./)
  expect(stdout).not.toMatch(/FAULT|encrypted/)
  expect(code).toBe(0)
})

test('reports a fault of the whole server only once, and exits with 1', async () => {
  let port = 0
  const proxy = createServer((socket) => {
    socket.pipe(connect(port, '127.0.0.1').on('error', () => undefined)).pipe(socket)
    socket.on('error', () => undefined)
  })
  const url = `http://feeds.example.org:${await listenLocally(proxy)}`
  const service = await startQuietService({ PUBLIC_URL: url })
  port = Number(new URL(service.url).port)
  type Found = (error: null, found: readonly { address: string; family: number }[]) => void
  const lookup = (_host: string, _options: object, found: Found) =>
    found(null, [{ address: '127.0.0.1', family: 4 }])
  using _ = vi.spyOn(dns, 'lookup').mockImplementation(lookup as unknown as typeof dns.lookup)
  const { code, stdout } = await doctor(`${url}/`)
  expect(code).toBe(1)
  expect(stdout.match(/\nFAULT {2}https {8}The address is not encrypted/g)).toHaveLength(1)
  expect(stdout).toContain('\nok     content      The response is a complete RSS feed with ')
  expect(stdout).toMatch(
    /\n\n1 fault found\. Fix the FAULT lines above, then run doctor again\.\n$/,
  )
  const json = await doctor(`${url}/`, '--json')
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([1, { ok: false }])
})

test('reads webcal: addresses as https, and ignores the fragment', async () => {
  const { publicUrl } = await startBehindHttps()
  const address = publicUrl.replace('https:', 'webcal:')
  const { code, stdout } = await doctor(`${address}/events.ics#top`)
  expect(code).toBe(0)
  expect(stdout).toMatch(new RegExp(`^${publicUrl}/events\\.ics\n`))
})

test('prints no characters that control a terminal', async () => {
  const page = '<!doctype html><title>\u001b[2J\u009b31m\u202eHello</title>'
  const server = createServer((socket) => {
    const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n`
    socket.on('error', () => undefined).end(`${head}${page}`)
  })
  const { stdout } = await doctor(`http://127.0.0.1:${await listenLocally(server)}/`)
  expect(stdout).toContain('\\u001b[2J')
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
})
