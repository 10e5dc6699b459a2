import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/documentation.ts'
import { testDirectory } from '../support/service.ts'

/** Imitates npm: installs the Node of deploy/node, and lists the Node and directory of each call. */
const npm = `#!/bin/sh
echo "$(node -p process.versions.node) $(basename "$PWD") $1" >> "$CALLS"
test "$1" = ci || exit "$STATUS"
test -n "$FAILS" || {
  mkdir -p node_modules/node-linux-${process.arch}/bin node_modules/node-linux-${process.arch}/include
  printf '#!/bin/sh\\necho 99.1.0\\n' > node_modules/node-linux-${process.arch}/bin/node
  chmod +x node_modules/node-linux-${process.arch}/bin/node
}
`

const skipped = { optional: true, os: [process.platform], cpu: [process.arch] }

/** Runs the script in a project that needs a version of Node. */
function afterInstall(
  needed: string,
  {
    packages = {},
    environment = {},
  }: { readonly packages?: object; readonly environment?: object } = {},
) {
  const directory = testDirectory()
  const at = (...names: readonly string[]) => join(directory, ...names)
  for (const name of ['deploy/node', 'node_modules', 'programs']) {
    mkdirSync(at(name), { recursive: true })
  }
  writeFileSync(at('package.json'), JSON.stringify({ type: 'module', engines: { node: needed } }))
  writeFileSync(at('package-lock.json'), JSON.stringify({ packages }))
  writeFileSync(at('programs/npm'), npm, { mode: 0o755 })
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'deploy/after-install.js')],
    {
      cwd: directory,
      encoding: 'utf8',
      env: {
        PATH: [at('programs'), join(process.execPath, '..'), '/usr/bin', '/bin'].join(delimiter),
        CALLS: at('calls'),
        STATUS: '0',
        ...environment,
      },
    },
  )
  const calls = existsSync(at('calls')) ? readFileSync(at('calls'), 'utf8').trim().split('\n') : []
  return { status, stdout, stderr, calls, at }
}

const { node } = process.versions

test('installs nothing if npm runs on a current Node', () => {
  expect(afterInstall('>=24')).toMatchObject({ status: 0, calls: [], stdout: '', stderr: '' })
})

test('installs the pinned Node, without a word, where npm and npx find it', () => {
  const { at, ...result } = afterInstall('>=99')
  expect(result).toEqual({ status: 0, stdout: '', stderr: '', calls: [`${node} node ci`] })
  const { stdout } = spawnSync(at('node_modules/.bin/node'), { encoding: 'utf8' })
  expect(stdout).toBe('99.1.0\n')
  expect(readdirSync(at('node_modules/node'))).toEqual(['bin'])
  expect(readdirSync(at('deploy/node'))).toEqual([])
})

test('with the newer Node, installs the packages that npm skipped', () => {
  const packages = {
    '': {},
    'node_modules/for-this': skipped,
    'node_modules/for-another': { ...skipped, cpu: ['mips'] },
  }
  const call = '99.1.0 '
  expect(afterInstall('>=99', { packages }).calls[1]).toMatch(new RegExp(`^${call}.* install$`))
  const development = { packages: { 'node_modules/for-tests': { ...skipped, dev: true } } }
  const omitted = { ...development, environment: { npm_config_omit: 'dev' } }
  expect(afterInstall('>=99', omitted).calls).toHaveLength(1)
  expect(afterInstall('>=99', development).calls).toHaveLength(2)
})

test('fails if those packages cannot be installed', () => {
  const packages = { 'node_modules/for-this': skipped }
  expect(afterInstall('>=99', { packages, environment: { STATUS: '7' } }).status).toBe(7)
})

test('says what to do where no Node can be installed', () => {
  expect(afterInstall('>=99', { environment: { FAILS: 'yes' } })).toMatchObject({
    status: 1,
    stderr: `Feedhouse needs Node 99, and this is Node ${node}: install Node 99 from https://nodejs.org.\n`,
  })
})
