import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { documentOf, root } from '../support/documentation.ts'
import { environmentNames } from '../support/settings.ts'

const unit = readFileSync(join(root, 'deploy/feedhouse.service'), 'utf8')

test('the unit sets only known settings, and starts Node the way `npm start` does', () => {
  const variables = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').map((variable) => variable.split('=')[0] ?? ''),
  )
  expect(variables.length).toBeGreaterThan(1)
  expect(variables.filter((name) => !environmentNames.includes(name))).toEqual([
    'NODE_ENV',
    'FEEDHOUSE_PLATFORM',
    'NODE_COMPILE_CACHE',
  ])
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [, options] = /^ExecStart=\S+ (.*) \S+\/src\/main\.ts serve$/m.exec(unit) ?? []
  expect(scripts.start).toContain(`node ${options} bin/feedhouse serve`)
})

test('the service restarts within two seconds of a crash', () => {
  expect(unit).toMatch(/^Restart=always\nRestartSec=1$/m)
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m)
})

test('the service stays failed after invalid settings', () => {
  expect(unit).toMatch(/^Environment=.* FEEDHOUSE_PLATFORM=systemd /m)
  expect(unit).toMatch(/^RestartPreventExitStatus=78$/m)
})

test('systemd waits until the service serves, and replaces it when it hangs', () => {
  expect(unit).toMatch(/^Type=notify\nNotifyAccess=all\nWatchdogSec=30$/m)
  // A stopped process does not receive other signals.
  expect(unit).toMatch(/^WatchdogSignal=SIGKILL$/m)
})

test('the service goes on if the kernel ends the process that reads the website', () => {
  expect(unit).toMatch(/^OOMPolicy=continue$/m)
})

test('the feedhouse command runs the same program as the unit, with the same user and data', () => {
  const command = readFileSync(join(root, 'deploy/feedhouse.sh'), 'utf8')
  const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]
  const [node = '', main = ''] = valueOf('ExecStart')?.match(/\/\S+/g) ?? []
  expect(command).toContain(`${node} ${main} "$@"`)
  expect(command).toContain(`--reuid=${valueOf('User')} --regid=${valueOf('Group')}`)
  expect(command).toContain(`cd ${valueOf('WorkingDirectory')}\n`)
  expect(command).toContain(`umask ${valueOf('UMask')?.slice(1)}\n`)
  const [, data = ''] = /DATA_DIR=%S(\S+)/.exec(unit) ?? []
  expect(command).toContain(`DATA_DIR=/var/lib${data} `)
})

function isInClone(place: string): boolean {
  const [, path] = /^\/opt\/feedhouse\/current\/(.+)$/.exec(place) ?? []
  return path !== undefined && existsSync(join(root, path))
}

test('the unit uses the directories that docs/deploy.md creates', () => {
  const docs = documentOf('docs/deploy.md')
  const places = [...unit.matchAll(/(?<==|:| )\/(?:opt|etc)\/[\w./-]+/g)].map(([place]) => place)
  expect(places).toContain('/opt/feedhouse/current/src/main.ts')
  const others = places.filter((place) => !isInClone(place))
  expect(others).toContain('/opt/feedhouse/current/node')
  expect(others.filter((place) => !docs.includes(place))).toEqual([])
})
