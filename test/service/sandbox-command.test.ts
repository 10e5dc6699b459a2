import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { outputUntil, resultOf, run } from '../support/command-line.ts'
import { temporaryDirectory } from '../support/service.ts'

describe('sandbox', () => {
  test('prints one JSON line with what a client needs, and serves it', async () => {
    using directory = temporaryDirectory()
    const child = run(directory.path, ['sandbox', '--access-token-seconds', '60', '--json'])
    const [output, notice] = await Promise.all([
      outputUntil(child, /\n/),
      outputUntil({ stdout: child.stderr }, /\n/),
    ])
    expect(notice).toMatch(
      /^API Projects are managed at https:\/\/localhost:\d+\/manage\/api\/ \(password [\w-]{16}\)\n$/,
    )
    const ready = JSON.parse(output)
    expect(ready).toEqual({
      url: expect.stringMatching(/^https:\/\/localhost:\d+$/),
      httpUrl: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      caFile: expect.stringMatching(/ca\.pem$/),
      projects: [{ id: 1, name: 'demo', refreshToken: expect.stringMatching(/^[\w-]{44}$/) }],
    })
    expect(readFileSync(ready.caFile, 'utf8')).toContain('BEGIN CERTIFICATE')
    expect((await fetch(ready.httpUrl)).status).toBe(403)
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
    expect(() => readFileSync(ready.caFile)).toThrow('ENOENT')
  })

  test('the service reads a sandbox in another process as any website', async () => {
    using directory = temporaryDirectory()
    const sandbox = run(directory.path, ['sandbox'])
    const { url, caFile, projects } = JSON.parse(await outputUntil(sandbox, /\n/))
    const service = run(directory.path, ['serve'], {
      SITE_URL: url,
      SITE_REFRESH_TOKEN: projects[0].refreshToken,
      SITE_TIME_ZONE: 'America/New_York',
      SITE_CA_FILE: caFile,
    })
    const output = await outputUntil(service, /Stop with Ctrl\+C/)
    const [page = ''] = output.match(/http:\S+/g) ?? []
    expect((await fetch(`${page}events.ics`)).status).toBe(200)
    expect((await fetch(`${page}calendar.ics`)).status).toBe(403)
  })

  test.for([
    {
      args: ['--https-port', 'x'],
      sentence: '--https-port must be a whole number from 0 to 65535.',
    },
    {
      args: ['--calls-per-day', '0'],
      sentence: '--calls-per-day must be a whole number from 1 to 1000000000.',
    },
    { args: ['--data-dir', ''], sentence: '--data-dir must not be empty.' },
    { args: ['--time-zone', 'Mars/Dust'], sentence: '--time-zone must be an IANA time zone' },
    { args: ['--dataset', 'nowhere'], sentence: 'The dataset nowhere is not a directory' },
    { args: ['--colour', 'red'], sentence: "Unknown option '--colour'" },
  ])('$args is refused: $sentence', async ({ args, sentence }) => {
    using directory = temporaryDirectory()
    const { code, stderr } = await resultOf(run(directory.path, ['sandbox', ...args]))
    expect(code).toBe(1)
    expect(stderr).toContain(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})

/** Runs a sandbox as a process of its own, and calls it. */
async function startProcess(cwd: string, args: readonly string[]) {
  const child = run(cwd, ['sandbox', ...args])
  const ready = JSON.parse(await outputUntil(child, /\n/))
  const dispatcher = new Agent({ connect: { ca: readFileSync(ready.caFile) } })
  onTestFinished(() => dispatcher.destroy())
  async function call(method: 'GET' | 'POST', path: string, token: string) {
    const headers = { authorization: `Bearer ${token}` }
    const { body } = await request(`${ready.url}/apps/api/${path}`, { method, headers, dispatcher })
    return (await body.json()) as Record<string, string>
  }
  return { child, ready, call, refresh: (token: string) => call('POST', 'refresh/', token) }
}

/** Runs `sandbox project` and reads the lines it prints. */
async function project(cwd: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await resultOf(run(cwd, ['sandbox', 'project', ...args]))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

test('what a killed sandbox knew is there when it starts again', async () => {
  using directory = temporaryDirectory()
  const options = ['--data-dir', 'state', '--calls-per-day', '5']
  const first = await startProcess(directory.path, options)
  const { refreshToken } = first.ready.projects[0]
  const { access_token: token = '' } = await first.refresh(refreshToken)
  expect(await first.call('GET', 'news/', token)).toMatchObject({ status: 200 })
  const exited = once(first.child, 'exit')
  first.child.kill('SIGKILL')
  expect(await exited).toEqual([null, 'SIGKILL'])

  const second = await startProcess(directory.path, options)
  expect(second.ready.projects).toEqual([{ id: 1, name: 'demo' }])
  expect(second.ready.caFile).toBe(first.ready.caFile)
  expect(await second.call('GET', 'news/', token)).toMatchObject({ status: 200 })
  expect(await second.refresh(refreshToken)).toMatchObject({ project: 'demo' })
  await second.call('GET', 'news/', token)
  expect(await second.call('GET', 'news/', token)).toMatchObject({ code: 'rate_limited' })
})

test('a sandbox goes on when nobody reads what it says', async () => {
  using directory = temporaryDirectory()
  writeFileSync(join(directory.path, 'news.json'), '[]')
  const { child, ready, call, refresh } = await startProcess(directory.path, ['--dataset', '.'])
  const { access_token: token = '' } = await refresh(ready.projects[0].refreshToken)
  child.stderr.destroy()
  for (const content of ['broken', '[]', 'broken again', '[ ]']) {
    writeFileSync(join(directory.path, 'news.json'), content)
    expect(await call('GET', 'news/', token)).toMatchObject({ status: 200 })
  }
})

describe('sandbox project', () => {
  test('adds, lists, sets and regenerates; a running sandbox sees it at once', async () => {
    using directory = temporaryDirectory()
    const state = ['--data-dir', 'state']
    const limits = ['--endpoints', 'news,events', '--ips', '127.0.0.1,::1']
    const added = await project(directory.path, 'add', '--name', 'Screens', ...limits, ...state)
    const settings = {
      id: 1,
      name: 'Screens',
      status: 'Enabled',
      endpoints: ['news', 'events'],
      ips: ['127.0.0.1', '::1'],
    }
    expect(added).toEqual([{ ...settings, refreshToken: expect.stringMatching(/^[\w-]{44}$/) }])
    const { refreshToken } = added[0]

    const { ready, call, refresh } = await startProcess(directory.path, state)
    expect(ready.projects).toEqual([{ id: 1, name: 'Screens' }])
    const { access_token: token = '' } = await refresh(refreshToken)
    expect(await call('GET', 'news/', token)).toMatchObject({ status: 200 })
    expect(await call('GET', 'members/', token)).toMatchObject({ code: 'endpoint_not_allowed' })

    const open = await project(
      directory.path,
      'set',
      '1',
      '--endpoints',
      'all',
      '--ips',
      'any',
      ...state,
    )
    expect(open).toEqual([{ ...settings, endpoints: 'all', ips: 'any' }])
    expect(await call('GET', 'members/', token)).toMatchObject({ status: 200 })
    await project(directory.path, 'set', '1', '--status', 'Disabled', ...state)
    expect(await call('GET', 'members/', token)).toMatchObject({ code: 'project_disabled' })
    await project(directory.path, 'set', '1', '--status', 'Enabled', '--name', 'Wall', ...state)

    const [regenerated] = await project(directory.path, 'regenerate', '1', ...state)
    expect(regenerated).toMatchObject({ id: 1, name: 'Wall', status: 'Enabled' })
    expect(await call('GET', 'members/', token)).toMatchObject({ code: 'token_invalid' })
    expect(await refresh(refreshToken)).toMatchObject({ code: 'token_invalid' })
    expect(await refresh(regenerated.refreshToken)).toMatchObject({ project: 'Wall' })

    const { id } = (await project(directory.path, 'add', '--name', 'Second', ...state))[0]
    expect(id).toBe(2)
    expect(await project(directory.path, 'list', '--json', ...state)).toEqual([
      { ...settings, name: 'Wall', endpoints: 'all', ips: 'any' },
      { id: 2, name: 'Second', status: 'Enabled', endpoints: 'all', ips: 'any' },
    ])
  })

  test.for([
    { args: [], sentence: 'sandbox project takes add, list, set or regenerate; see --help.' },
    {
      args: ['drop', '1'],
      sentence: 'sandbox project takes add, list, set or regenerate; see --help.',
    },
    { args: ['add'], sentence: '--name must name the project.' },
    { args: ['add', '--name', ' '], sentence: 'The name is empty.' },
    { args: ['add', 'x', '--name', 'n'], sentence: 'x is not expected; see --help.' },
    {
      args: ['add', '--name', 'n', '--status', 'on'],
      sentence: 'The status is Enabled or Disabled, not on.',
    },
    {
      args: ['add', '--name', 'n', '--endpoints', 'news,nws'],
      sentence: 'There is no endpoint nws; there are announce, ',
    },
    {
      args: ['add', '--name', 'n', '--ips', '10.0.0.0/8'],
      sentence: '10.0.0.0/8 is not an IP address.',
    },
    { args: ['list', '--name', 'n'], sentence: '--name changes nothing here; see --help.' },
    {
      args: ['set', 'x'],
      sentence: 'The ID of the project must follow, a whole number; list shows it.',
    },
    {
      args: ['set'],
      sentence: 'The ID of the project must follow, a whole number; list shows it.',
    },
    { args: ['set', '9', '--name', 'n'], sentence: 'There is no project 9.' },
    { args: ['regenerate', '9'], sentence: 'There is no project 9.' },
  ])('$args is refused: $sentence', async ({ args, sentence }) => {
    using directory = temporaryDirectory()
    await using _first = await createSandbox({ dataDirectory: join(directory.path, 'state') })
    const child = run(directory.path, ['sandbox', 'project', ...args, '--data-dir', 'state'])
    const { code, stdout, stderr } = await resultOf(child)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  test('wants the directory of a sandbox', async () => {
    using directory = temporaryDirectory()
    const without = await resultOf(run(directory.path, ['sandbox', 'project', 'list']))
    expect(without.stderr).toBe('--data-dir must name the data directory of a sandbox.\n')
    const wrong = run(directory.path, ['sandbox', 'project', 'list', '--data-dir', 'nowhere'])
    expect(await resultOf(wrong)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'nowhere is not the data directory of a sandbox.\n',
    })
  })
})

test('a dataset with faults is a sentence each and exit 1', async () => {
  using directory = temporaryDirectory()
  writeFileSync(join(directory.path, 'members.json'), '[{"id":1}]')
  writeFileSync(join(directory.path, 'news.json'), '7')
  const { code, stdout, stderr } = await resultOf(
    run(directory.path, ['sandbox', '--dataset', '.']),
  )
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('members.json, index 0 (id 1), firstName: ')
  expect(stderr).toContain('news.json: not a JSON array of records.\n')
})
