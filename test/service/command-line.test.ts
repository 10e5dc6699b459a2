import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { killWithTest, main, outputUntil, resultOf, run } from '../support/command-line.ts'
import { readCalendar } from '../support/read-calendar.ts'
import { temporaryDirectory } from '../support/service.ts'
import { waitUntil } from '../support/wait-for.ts'

describe('serve', () => {
  test.for(['SIGINT', 'SIGTERM'] as const)(
    'without settings it prints addresses that work, and ends cleanly on %s',
    async (signal) => {
      using directory = temporaryDirectory()
      const child = run(directory.path, ['serve'])
      const output = await outputUntil(child, /Stop with Ctrl\+C/)
      expect(output).toContain('the demo: Cedar Hollow Volunteer Fire Department')
      const urls = output.match(/http:\S+/g) ?? []
      expect(urls).toHaveLength(15)
      expect(output).toMatch(/Feed link \(full\) +http:\S+\/l\/[a-z2-7]{32}\/\n/)
      for (const url of urls) expect((await fetch(url)).status).toBe(200)
      const calendar = urls.find((url) => url.endsWith('/events.ics')) ?? ''
      expect(readCalendar(await (await fetch(calendar)).text()).events.length).toBeGreaterThan(20)
      const exited = once(child, 'exit')
      child.kill(signal)
      expect(await exited).toEqual([0, null])
    },
  )

  test('it ends in time while clients and the website keep it waiting', async () => {
    using directory = temporaryDirectory()
    const sockets: Socket[] = []
    const deaf = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
    await once(deaf, 'listening')
    const { port: deafPort } = deaf.address() as AddressInfo
    const child = run(directory.path, ['serve'], {
      SITE_URL: `https://127.0.0.1:${deafPort}`,
      SITE_REFRESH_TOKEN: 'x',
      SITE_TIME_ZONE: 'America/New_York',
    })
    const output = await outputUntil(child, /Stop with Ctrl\+C/)
    const url = new URL(output.match(/http:\S+/)?.[0] ?? '')
    const halfARequest = connect(Number(url.port), url.hostname)
    halfARequest.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: x\r\n')
    const waiting = fetch(`${url.origin}/events.ics`).catch(() => 'cut off')
    await fetch(`${url.origin}/livez`)
    const exited = once(child, 'exit', { signal: AbortSignal.timeout(6000) })
    child.kill('SIGTERM')
    child.kill('SIGINT')
    expect(await exited).toEqual([0, null])
    await waiting
    for (const socket of [halfARequest, ...sockets]) socket.destroy()
    deaf.close()
  })

  test('on SIGTERM it says at /readyz that it stops, and goes on to answer for a moment', async () => {
    using directory = temporaryDirectory()
    const child = run(directory.path, ['serve'])
    const output = await outputUntil(child, /Stop with Ctrl\+C/)
    const { origin } = new URL(output.match(/http:\S+/)?.[0] ?? '')
    const readiness = async () => (await fetch(`${origin}/readyz`)).status
    await waitUntil(async () => (await readiness()) === 200)
    const exited = once(child, 'exit', { signal: AbortSignal.timeout(9_000) })
    child.kill('SIGTERM')
    await waitUntil(async () => (await readiness()) === 503)
    expect((await fetch(`${origin}/events.ics`)).status).toBe(200)
    expect(await exited).toEqual([0, null])
    await expect(readiness()).rejects.toThrow('fetch failed')
  })

  test.for(['SIGINT', 'SIGTERM'] as const)(
    'it ends with the npm that started it, on %s',
    async (signal) => {
      using directory = temporaryDirectory()
      const npm = spawn('npm', ['start'], {
        cwd: resolve(main, '../..'),
        env: {
          PATH: process.env['PATH'],
          HOME: directory.path,
          PORT: '0',
          DATA_DIR: directory.path,
        },
      })
      killWithTest(npm)
      const output = await outputUntil(npm, /Stop with Ctrl\+C/)
      const [url = ''] = output.match(/http:\S+/) ?? []
      expect((await fetch(url)).status).toBe(200)
      const exited = once(npm, 'exit', { signal: AbortSignal.timeout(6000) })
      npm.kill(signal)
      await exited
      await expect(fetch(url)).rejects.toThrow('fetch failed')
    },
  )

  test('PUBLIC_FEEDS holds in the demo too', async () => {
    using directory = temporaryDirectory()
    const child = run(directory.path, ['serve'], { PUBLIC_FEEDS: 'news' })
    const output = await outputUntil(child, /Stop with Ctrl\+C/)
    expect(output).not.toContain('.ics')
  })

  test('a port that is taken is one sentence and exit 1', async () => {
    using directory = temporaryDirectory()
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const result = await resultOf(run(directory.path, ['serve'], { PORT: String(port) }))
    other.close()
    expect(result).toEqual({
      code: 1,
      stdout: '',
      stderr: `Another program, perhaps another Feedhouse, already listens on 127.0.0.1:${port}; choose another port.\n`,
    })
  })

  test('bad settings are a sentence each and exit 1', async () => {
    using directory = temporaryDirectory()
    const result = await resultOf(
      run(directory.path, ['serve'], { PORT: 'x', SITE_URL: 'http://a.example' }),
    )
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr.trim().split('\n')).toEqual([
      'SITE_URL must be an https address without a path, like https://www.example.org.',
      'SITE_REFRESH_TOKEN must be set together with SITE_URL.',
      'SITE_TIME_ZONE must be set together with SITE_URL.',
      'PORT must be a whole number from 0 to 65535.',
    ])
  })

  test('a data directory that cannot be is one sentence and exit 1', async () => {
    using directory = temporaryDirectory()
    const file = join(directory.path, 'file')
    writeFileSync(file, '')
    const result = await resultOf(run(directory.path, ['serve'], { DATA_DIR: file }))
    expect(result).toEqual({
      code: 1,
      stdout: '',
      stderr: `The data directory ${file} cannot be written (EEXIST); set DATA_DIR to a directory that can.\n`,
    })
  })

  test('a file where the sandbox keeps its own is one sentence and exit 1', async () => {
    using directory = temporaryDirectory()
    writeFileSync(join(directory.path, 'sandbox'), '')
    const result = await resultOf(run(directory.path, ['serve'], { DATA_DIR: directory.path }))
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(
      /^The data directory \S+sandbox cannot be written \(EEXIST\).*\n$/,
    )
  })

  test('a certificate file that is missing is one sentence and exit 1', async () => {
    using directory = temporaryDirectory()
    const result = await resultOf(
      run(directory.path, ['serve'], {
        SITE_URL: 'https://www.example.org',
        SITE_REFRESH_TOKEN: 'x',
        SITE_TIME_ZONE: 'America/New_York',
        SITE_CA_FILE: '/nowhere/ca.pem',
      }),
    )
    expect(result).toEqual({
      code: 1,
      stdout: '',
      stderr: 'SITE_CA_FILE names a file that cannot be read: /nowhere/ca.pem.\n',
    })
  })
})

describe('the command line', () => {
  const { version } = JSON.parse(readFileSync(resolve(main, '../../package.json'), 'utf8'))

  test.for([
    { args: ['--help'], stdout: /^Usage: npx node src\/main.ts COMMAND/ },
    { args: [], stdout: /^Usage: npx node src\/main.ts COMMAND/ },
    { args: ['serve', '--help'], stdout: /^Usage: npx node src\/main.ts serve/ },
    { args: ['sandbox', '--help'], stdout: /^Usage: npx node src\/main.ts sandbox/ },
    {
      args: ['sandbox', 'project', '--help'],
      stdout: /^Usage: npx node src\/main.ts sandbox project COMMAND/,
    },
    { args: ['--version'], stdout: new RegExp(`^${version}\n$`) },
  ])('$args', async ({ args, stdout }) => {
    using directory = temporaryDirectory()
    const result = await resultOf(run(directory.path, args))
    expect(result).toEqual({ code: 0, stdout: expect.stringMatching(stdout), stderr: '' })
  })

  test.for([
    { args: ['swerve'], sentence: 'There is no command swerve; see --help.' },
    { args: ['constructor'], sentence: 'There is no command constructor; see --help.' },
    { args: ['serve', '--port', '1'], sentence: "Unknown option '--port'" },
  ])('$args is refused: $sentence', async ({ args, sentence }) => {
    using directory = temporaryDirectory()
    const { code, stderr } = await resultOf(run(directory.path, args))
    expect(code).toBe(1)
    expect(stderr).toContain(sentence)
  })
})
