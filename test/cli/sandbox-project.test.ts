import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { resultOf, run } from '../support/command-line.ts'
import { readySandbox } from '../support/sandbox-command.ts'
import { temporaryDirectory } from '../support/service.ts'

/** Runs the `sandbox project` command and reads the lines it prints. */
async function project(cwd: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await resultOf(run(cwd, ['sandbox', 'project', ...args]))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

test('adds, lists and changes projects and regenerates their tokens, which affects a running sandbox immediately', async () => {
  using directory = temporaryDirectory()
  const state = ['--data-dir', 'state']
  const limits = ['--endpoints', 'news,events', '--ips', '127.0.0.1,::1']
  const added = await project(directory.path, 'add', '--name', 'Screens', ...limits, ...state)
  const restricted = { endpoints: ['news', 'events'], ips: ['127.0.0.1', '::1'] }
  const settings = { id: 1, name: 'Screens', status: 'Enabled', ...restricted }
  expect(added).toEqual([{ ...settings, refreshToken: expect.stringMatching(/^[\w-]{44}$/) }])
  const { refreshToken } = added[0]

  const { ready, call, refresh } = await readySandbox(run(directory.path, ['sandbox', ...state]))
  expect(ready.projects).toEqual([{ id: 1, name: 'Screens' }])
  const { access_token: token = '' } = await refresh(refreshToken)
  expect(await call('GET', 'news/', token)).toMatchObject({ status: 200 })
  expect(await call('GET', 'members/', token)).toMatchObject({ code: 'endpoint_not_allowed' })

  const all = ['--endpoints', 'all', '--ips', 'any']
  const open = await project(directory.path, 'set', '1', ...all, ...state)
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

const usage = 'Usage: npx feedhouse sandbox project add, list, set or regenerate; see --help.'
const noId = 'The project ID is required: a whole number, as shown by sandbox project list.'

test.for<[args: readonly string[], sentence: string]>([
  [[], usage],
  [['drop', '1'], usage],
  [['add'], '--name is required: the name of the project.'],
  [['add', '--name', ' '], 'The name is empty.'],
  [['add', 'x', '--name', 'n'], 'Unexpected argument: x; see --help.'],
  [['add', '--name', 'n', '--status', 'on'], 'The status must be Enabled or Disabled, not on.'],
  [['add', '--name', 'n', '--endpoints', 'nws'], 'Unknown endpoint nws; endpoints are announce, '],
  [['add', '--name', 'n', '--ips', '10.0.0.0/8'], '10.0.0.0/8 is not an IP address.'],
  [['list', '--name', 'n'], '--name has no effect here; see --help.'],
  [['set', 'x'], noId],
  [['set'], noId],
  [['set', '9', '--name', 'n'], 'Unknown project: 9.'],
  [['regenerate', '9'], 'Unknown project: 9.'],
])('%j fails: %s', async ([args, sentence]) => {
  using directory = temporaryDirectory()
  await using _first = await createSandbox({ dataDirectory: join(directory.path, 'state') })
  const child = run(directory.path, ['sandbox', 'project', ...args, '--data-dir', 'state'])
  const { code, stdout, stderr } = await resultOf(child)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(sentence)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

test('requires the directory of a sandbox', async () => {
  using directory = temporaryDirectory()
  const without = await resultOf(run(directory.path, ['sandbox', 'project', 'list']))
  expect(without.stderr).toBe('--data-dir is required: the data directory of a sandbox.\n')
  const wrong = run(directory.path, ['sandbox', 'project', 'list', '--data-dir', 'nowhere'])
  expect(await resultOf(wrong)).toEqual({
    code: 1,
    stdout: '',
    stderr: `${join(directory.path, 'nowhere')} is not the data directory of a sandbox.\n`,
  })
})
