import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workerAllocation } from '../../src/hosting/front-process.ts'
import { documentOf, root } from '../support/documentation.ts'
import { environmentNames } from '../support/settings.ts'

const unit = readFileSync(join(root, 'deploy/feedhouse.service'), 'utf8')

test('the unit sets only known settings, and starts Node the way `npm start` does', () => {
  const variables = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').map((variable) => variable.split('=')[0] ?? ''),
  )
  expect(variables.length).toBeGreaterThan(1)
  const own = ['NODE_ENV', 'FEEDHOUSE_PLATFORM', 'NODE_COMPILE_CACHE', 'XDG_CACHE_HOME']
  const others = new Set([...own, ...Object.keys(workerAllocation)])
  expect(new Set(variables.filter((name) => !environmentNames.includes(name)))).toEqual(others)
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [, options] = /^ExecStart=\S+ (.*) \S+\/src\/main\.ts serve$/m.exec(unit) ?? []
  expect(scripts.start).toContain(`node ${options} bin/feedhouse serve`)
})

test.for(['deploy/feedhouse.service', 'Dockerfile', 'package.json'])(
  '%s sets the same allocation variables as workers have',
  (path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const given = Object.fromEntries(
      [...text.matchAll(/\b(MALLOC_\w+)=(\d+)/g)].map(([, name = '', value]) => [name, value]),
    )
    expect(given).toEqual(workerAllocation)
  },
)

test.for([
  ['restarts a second after each crash', /^Restart=always\nRestartSec=1$/m],
  ['restarts however often it crashes', /^StartLimitIntervalSec=0$/m],
  ['stays failed after invalid settings', /^RestartPreventExitStatus=78$/m],
  ['has started once it serves', /^Type=notify\nNotifyAccess=all\nWatchdogSec=30$/m],
  ['ends even a stopped process when it hangs', /^WatchdogSignal=SIGKILL$/m],
  ['goes on if the kernel ends the process that reads the website', /^OOMPolicy=continue$/m],
] as const)('the service %s', ([, setting]) => {
  expect(unit).toMatch(setting)
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
