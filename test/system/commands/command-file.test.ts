import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../support/documentation.ts'
import { temporaryDirectory, testDirectory } from '../../support/service.ts'
import { openShell } from '../../support/shell.ts'
import { version } from '../../../src/cli/command.ts'

/** Runs `bin/feedhouse` in a clone. */
function runCommandFile(
  clone: string,
  options: readonly string[],
  more: { readonly command?: string; readonly environment?: NodeJS.ProcessEnv } = {},
) {
  const { command = 'check', environment = {} } = more
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...options, join(clone, 'bin/feedhouse'), command],
    { encoding: 'utf8', env: { ...process.env, ...environment } },
  )
  return { status, stdout, stderr }
}

/** Options for Node with which it seems to be an older version. */
function olderNode() {
  const file = join(testDirectory(), 'older.cjs')
  writeFileSync(file, "Object.defineProperty(process, 'version', { value: 'v20.20.2' })\n")
  return ['--require', file]
}

test('shows its version and help on an outdated Node', () => {
  const shown = (command: string) => runCommandFile(root, olderNode(), { command })
  expect(shown('--version')).toEqual({ status: 0, stdout: `${version()}\n`, stderr: '' })
  const { stdout: help } = runCommandFile(root, [], { command: '--help' })
  expect(shown('--help')).toEqual({ status: 0, stdout: help, stderr: '' })
})

test('explains in a single sentence how to fix an outdated Node', () => {
  expect(runCommandFile(root, olderNode())).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'Feedhouse needs Node 24, and this is Node 20.20.2: run "npm ci" in the clone, which installs it, then "npx feedhouse check".\n',
  })
})

test('keeps compiled code in the given directory, for faster starts', () => {
  const environment = { NODE_COMPILE_CACHE: testDirectory(), NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
  const run = () => runCommandFile(root, [], { command: '--version', environment })
  expect(run().stderr).not.toContain('main.ts was accepted')
  expect(run().stderr).toContain('src/main.ts was accepted')
})

test('explains in a single sentence how to install packages if all or only one is missing', () => {
  using clone = temporaryDirectory()
  for (const part of ['bin', 'package.json', 'src', 'templates']) {
    cpSync(join(root, part), join(clone.path, part), { recursive: true })
  }
  const explained = {
    status: 1,
    stdout: '',
    stderr:
      'A package of Feedhouse is missing: run "npm ci" in the clone, then "npx feedhouse check".\n',
  }
  expect(runCommandFile(clone.path, [])).toEqual(explained)
  mkdirSync(join(clone.path, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name === 'undici') continue
    symlinkSync(join(root, 'node_modules', name), join(clone.path, 'node_modules', name))
  }
  expect(runCommandFile(clone.path, ['--preserve-symlinks'])).toEqual(explained)
})

test('npx finds the command in a clone without contacting the registry', async () => {
  await using shell = openShell({ npm_config_registry: 'http://127.0.0.1:9/' })
  const commands = [
    'npx feedhouse --version',
    'mkdir -p docs && cd docs && npx feedhouse --version',
  ]
  const results = await shell.run(commands)
  expect(results.map(({ code, out }) => ({ code, out }))).toEqual(
    commands.map(() => ({ code: 0, out: `${version()}\n` })),
  )
})

test('npx does not download a command that is not installed', () => {
  const env = {
    PATH: process.env['PATH'],
    npm_config_userconfig: '/dev/null',
    npm_config_update_notifier: 'false',
  }
  const shown = spawnSync('npm', ['config', 'get', 'yes'], { cwd: root, encoding: 'utf8', env })
  expect(shown.stdout).toBe('false\n')
})
