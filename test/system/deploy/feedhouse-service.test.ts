import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../support/documentation.ts'
import { programIsMissing } from '../../support/programs.ts'
import { withReplacements } from '../../support/replacements.ts'
import { testDirectory } from '../../support/service.ts'

const unit = readFileSync(join(root, 'deploy/feedhouse.service'), 'utf8')
const systemdIsMissing = programIsMissing('systemd-analyze')

/**
 * The exposure level that systemd reports, in tenths. A level of 0 is fully sandboxed, and levels
 * below 20 are rated OK.
 */
const maxExposure = '15'

/** Runs systemd-analyze on the unit, with the path to the current Node binary. */
function analyze(...args: readonly string[]) {
  const file = join(testDirectory(), 'feedhouse.service')
  writeFileSync(file, withReplacements(unit, { '/opt/feedhouse/current/node': process.execPath }))
  const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, file], {
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

describe.skipIf(systemdIsMissing)('deploy/feedhouse.service', () => {
  test('is a valid systemd unit', () => {
    expect(analyze('verify', '--recursive-errors=no')).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    })
  })

  test('grants the service only the permissions it needs', () => {
    const { status, stdout } = analyze('security', '--offline=true', `--threshold=${maxExposure}`)
    expect(stdout).toContain('Overall exposure level')
    expect({ status, stdout }).toMatchObject({ status: 0 })
  })
})
