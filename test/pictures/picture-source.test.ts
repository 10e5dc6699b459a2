import { execFile } from 'node:child_process'
import { lookup } from 'node:dns'
import { join } from 'node:path'
import tls from 'node:tls'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createPictureSource, PicturesBusy } from '../../src/pictures/picture-source.ts'
import { isPublicAddress } from '../../src/pictures/public-ip.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { startHttpsServer } from '../support/https-server.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Small file whose header claims 20,000 by 20,000 pixels. */
const bomb = Buffer.from(png)
bomb.writeUInt32BE(20_000, 16)
bomb.writeUInt32BE(20_000, 20)

/** Starts a website with pictures, as well as servers that Feedhouse must not access. */
async function siteWithPictures() {
  const asked: string[] = []
  const answers: Record<
    string,
    () => { status?: number; headers?: Record<string, string>; body?: Buffer; never?: boolean }
  > = {
    '/a.png': () => ({ body: png }),
    '/named.jpg': () => ({ headers: { 'content-type': 'image/jpeg' }, body: png }),
    '/page.png': () => ({ headers: { 'content-type': 'image/png' }, body: Buffer.from('<html>') }),
    '/svg.svg': () => ({ body: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }),
    '/huge.png': () => ({ body: Buffer.concat([png, Buffer.alloc(9 * 1024 * 1024)]) }),
    '/bomb.png': () => ({ body: bomb }),
    '/missing.png': () => ({ status: 404, body: png }),
    '/moved.png': () => ({ status: 302, headers: { location: '/a.png' } }),
    '/round.png': () => ({ status: 302, headers: { location: '/round.png' } }),
    '/inside.png': () => ({ status: 302, headers: { location: 'https://127.0.0.1:9/a.png' } }),
    '/plain.png': () => ({ status: 302, headers: { location: 'http://www.example.org/a.png' } }),
  }
  const server = await startHttpsServer(({ url = '' }, response) => {
    asked.push(url)
    const { status = 200, headers = {}, body, never } = answers[url]?.() ?? { status: 404 }
    if (never) return
    response.writeHead(status, headers).end(body)
  })
  const other = await startHttpsServer((_request, response) => response.end(png))
  const clock = createFakeClock()
  const source = createPictureSource({
    siteUrl: server.url,
    caPem: server.caPem,
    now: clock.now,
    maxKeptBytes: 1024 * 1024,
  })
  onTestFinished(() => source[Symbol.asyncDispose]())
  const fetch = (path: string) => source.fetch(new URL(path, server.url).href)
  return { server, other, clock, source, asked, answers, fetch }
}

test('detects the type of a picture from its bytes, not from its name', async () => {
  const { fetch } = await siteWithPictures()
  for (const path of ['/a.png', '/named.jpg', '/moved.png']) {
    expect(await fetch(path)).toEqual({ type: 'image/png', bytes: png })
  }
})

test.for([
  '/page.png',
  '/svg.svg',
  '/huge.png',
  '/bomb.png',
  '/missing.png',
  '/round.png',
  '/nothing',
])('rejects %s', async (path) => {
  const { fetch } = await siteWithPictures()
  expect(await fetch(path)).toBeUndefined()
})

test('gives up on a server that sends many informational responses', async () => {
  const server = await startHttpsServer(({ url }, response) => {
    for (let sent = 0; sent < (url === '/many.png' ? 11 : 10); sent += 1) response.writeProcessing()
    response.end(png)
  })
  await using source = createPictureSource({
    siteUrl: server.url,
    caPem: server.caPem,
    now: Date.now,
    maxKeptBytes: 1024 * 1024,
  })
  expect(await source.fetch(`${server.url}/few.png`)).toMatchObject({ type: 'image/png' })
  expect(await source.fetch(`${server.url}/many.png`)).toBeUndefined()
})

test('rejects a picture with megabytes of extensions of chunks', async () => {
  const { url: siteUrl, caPem } = await startHttpsServer(({ socket, url }) => {
    const length = `${png.length.toString(16)};${'x'.repeat(url === '/many.png' ? 17e6 : 1e6)}`
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
    socket.write(`${length}\r\n`)
    socket.write(png)
    socket.write('\r\n0\r\n\r\n')
  })
  await using source = createPictureSource({ siteUrl, caPem, now: Date.now, maxKeptBytes: 1024 })
  expect(await source.fetch(`${siteUrl}/many.png`)).toBeUndefined()
  expect(await source.fetch(`${siteUrl}/few.png`)).toMatchObject({ type: 'image/png' })
})

test('gives up on a picture in millions of chunks, with little memory', async () => {
  const chunks = '1\r\na\r\n'.repeat(2_000_000)
  const { url: siteUrl, caPem } = await startHttpsServer(({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n')
    socket.write(`${png.length.toString(16)}\r\n`)
    socket.write(png)
    socket.end(`\r\n${chunks}0\r\n\r\n`)
  })
  const script = `
    const { createPictureSource } = await import(process.argv[1])
    const [siteUrl, caPem] = process.argv.slice(2)
    const source = createPictureSource({ siteUrl, caPem, now: Date.now, maxKeptBytes: 1 })
    console.log(await source.fetch(siteUrl + '/a.png'))
    process.exit()`
  const file = join(import.meta.dirname, '../../src/pictures/picture-source.ts')
  const options = ['--max-old-space-size=64', '--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, [...options, file, siteUrl, caPem])
  expect(stdout).toBe('undefined\n')
})

test('allows private networks and plain HTTP only for the website itself', async () => {
  const { fetch, other, source } = await siteWithPictures()
  const { port } = new URL(other.url)
  const addresses = [
    '/inside.png',
    '/plain.png',
    `https://localhost:${port}/a.png`,
    `https://127.0.0.1:${port}/a.png`,
    `https://[::1]:${port}/a.png`,
    `https://user:secret@www.example.org/a.png`,
    'http://www.example.org/a.png',
    'file:///etc/passwd',
  ]
  for (const address of addresses)
    expect([address, await fetch(address)]).toEqual([address, undefined])
  expect(await source.fetch('no address')).toBeUndefined()
})

test('does not let another host redirect to the website', async () => {
  const { server, asked } = await siteWithPictures()
  const other = await startHttpsServer(({ url }, response) => {
    if (url === '/a.png') return void response.end(png)
    response.writeHead(302, { location: `${server.url}/a.png` }).end()
  })
  await using source = createPictureSource({
    siteUrl: server.url,
    caPem: server.caPem,
    now: Date.now,
    maxKeptBytes: 1024 * 1024,
    elsewhere: { lookup, ca: other.caPem },
  })
  expect(await source.fetch(`${other.url}/a.png`)).toMatchObject({ type: 'image/png' })
  expect(await source.fetch(`${other.url}/moved.png`)).toBeUndefined()
  expect(asked).toEqual([])
})

test('fetches a picture at most once an hour, and retries a missing picture sooner', async () => {
  const { fetch, asked, clock } = await siteWithPictures()
  await Promise.all([fetch('/a.png'), fetch('/a.png'), fetch('/missing.png')])
  await Promise.all([fetch('/a.png'), fetch('/missing.png')])
  expect(asked.toSorted()).toEqual(['/a.png', '/missing.png'])
  await clock.advance(5 * 60_000)
  await Promise.all([fetch('/a.png'), fetch('/missing.png')])
  expect(asked.filter((path) => path === '/missing.png')).toHaveLength(2)
  await clock.advance(60 * 60_000)
  await fetch('/a.png')
  expect(asked.filter((path) => path === '/a.png')).toHaveLength(2)
})

test('does not let slow pictures block others', async () => {
  const { fetch, answers } = await siteWithPictures()
  for (const path of ['/slow-1.png', '/slow-2.png', '/slow-3.png']) {
    answers[path] = () => ({ never: true })
    void fetch(path)
  }
  const paths = Array.from({ length: 20 }, (_, index) => `/quick-${index}.png`)
  for (const path of paths) answers[path] = () => ({ body: png })
  const startedAt = performance.now()
  const all = await Promise.all(paths.map(fetch))
  expect(all.filter((picture) => picture?.type === 'image/png')).toHaveLength(20)
  // Slow fetches time out after 15 seconds.
  expect(performance.now() - startedAt).toBeLessThan(14_000)
})

test('limits an unresponsive host to its share of concurrent fetches', async () => {
  const { fetch, answers, source, other } = await siteWithPictures()
  const paths = Array.from({ length: 40 }, (_, index) => `/slow-${index}.png`)
  for (const path of paths) answers[path] = () => ({ never: true })
  const slow = paths.slice(0, 20).map(fetch)
  // This URL is not allowed, but Feedhouse checks it only when it starts to fetch it.
  const another = source.fetch(`${other.url}/a.png`)
  const first = await Promise.race([
    another.then(() => 'another host'),
    ...slow.map((each) => each.then(() => 'silent host')),
  ])
  expect(first).toBe('another host')
  slow.push(...paths.slice(20).map(fetch))
  await expect(fetch('/one-more.png')).rejects.toThrow(PicturesBusy)
  await source[Symbol.asyncDispose]()
  await Promise.all(slow)
})

test('keeps the last good picture while fetches fail', async () => {
  const { fetch, answers, clock } = await siteWithPictures()
  await fetch('/a.png')
  answers['/a.png'] = () => ({ status: 500 })
  await clock.advance(2 * 60 * 60_000)
  expect((await fetch('/a.png'))?.bytes).toEqual(png)
})

const publicAddresses = '93.184.215.14 2606:2800:21f:cb07:6820:80da:af6b:8b2c ::ffff:93.184.215.14'

const otherAddresses = `
  127.0.0.1 10.1.2.3 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1
  255.255.255.255 ::1 :: ::ffff:127.0.0.1 ::ffff:7f00:1 64:ff9b::7f00:1 2002:7f00:1:: fe80::1
  fd00::1 ff02::1 2001:db8::1`

test('recognizes public addresses', () => {
  const all = `${publicAddresses} ${otherAddresses}`.split(/\s+/)
  expect(all.filter(isPublicAddress).join(' ')).toBe(publicAddresses)
})

test('does not parse the trusted certificates again for each connection', async () => {
  const { asked, fetch } = await siteWithPictures()
  using parse = vi.spyOn(tls, 'createSecureContext')
  await fetch('/a.png')
  expect(asked).toEqual(['/a.png'])
  expect(parse).not.toHaveBeenCalled()
})
