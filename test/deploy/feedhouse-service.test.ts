import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { environmentNames } from '../support/settings.ts'
import { programIsMissing } from '../support/programs.ts'
import { withReplacements } from '../support/proxied.ts'
import { temporaryDirectory } from '../support/service.ts'

const unit = readFileSync(resolve(import.meta.dirname, '../../deploy/feedhouse.service'), 'utf8')
const systemdIsMissing = programIsMissing('systemd-analyze', '--version')

/** Tenths, as systemd reckons: 0 is closed in altogether; below 2 is what it calls OK at its best. */
const mostExposed = '15'

/** The unit as systemd-analyze reads it, with a Node that is here. */
function analyze(...args: readonly string[]) {
  using directory = temporaryDirectory()
  const file = join(directory.path, 'feedhouse.service')
  writeFileSync(file, withReplacements(unit, { '/opt/feedhouse-node/node': process.execPath }))
  const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, file], {
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

describe.skipIf(systemdIsMissing)('deploy/feedhouse.service', () => {
  test('has nothing that systemd does not know', () => {
    expect(analyze('verify', '--recursive-errors=no')).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    })
  })

  test('leaves the service no more than it needs', () => {
    const { status, stdout } = analyze('security', '--offline=true', `--threshold=${mostExposed}`)
    expect(stdout).toContain('Overall exposure level')
    expect({ status, stdout }).toMatchObject({ status: 0 })
  })
})

test('the unit sets only what is a setting, and starts Node as `npm start` does', () => {
  const variables = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').map((variable) => variable.split('=')[0] ?? ''),
  )
  expect(variables.length).toBeGreaterThan(1)
  expect(variables.filter((name) => !environmentNames.includes(name))).toEqual(['NODE_ENV'])
  const { scripts } = JSON.parse(
    readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8'),
  )
  const [, options] = /^ExecStart=\S+ (.*) \S+\/src\/main\.ts serve$/m.exec(unit) ?? []
  expect(scripts.start).toContain(`node ${options} src/main.ts serve`)
})

test('the unit has the places that docs/deploy.md makes', () => {
  const docs = readFileSync(resolve(import.meta.dirname, '../../docs/deploy.md'), 'utf8')
  const places = [...unit.matchAll(/(?<==|:| )\/(?:opt|etc)\/[\w./-]+/g)].map(([place]) => place)
  expect(places).toContain('/etc/feedhouse/site-refresh-token')
  expect(places.filter((place) => !docs.includes(place))).toEqual([])
})
