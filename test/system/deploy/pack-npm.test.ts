import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { version } from '../../../src/cli/command.ts'
import { killWithTest, readyService } from '../../support/command-line.ts'
import { root } from '../../support/documentation.ts'
import { npmForTests } from '../../support/programs.ts'
import { npmEnvironment } from '../../support/repository.ts'
import { testDirectory } from '../../support/service.ts'

/** The first installation downloads packages from the registry or copies them from npm's cache. */
const installMs = 240_000

test('the npm package starts the demo outside of a clone', { timeout: installMs }, async () => {
  const [packed, project] = [testDirectory(), testDirectory()]
  const pack = [join(root, 'deploy/pack-npm.ts'), packed]
  expect(spawnSync(process.execPath, pack)).toMatchObject({ status: 0 })
  const name = `feedhouse-${version()}.tgz`
  expect(readdirSync(packed)).toEqual([name])

  writeFileSync(join(project, 'package.json'), '{}')
  const PATH = `${npmForTests}:${join(process.execPath, '..')}:${process.env['PATH']}`
  const env = { ...npmEnvironment, HOME: homedir(), PATH, PORT: '0' }
  const options = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund']
  const installed = spawnSync('npm', ['install', ...options, join(packed, name)], {
    cwd: project,
    env,
    encoding: 'utf8',
  })
  expect(installed).toMatchObject({ status: 0 })
  const command = join(project, 'node_modules/.bin/feedhouse')
  const shown = spawnSync(command, ['--version'], { cwd: project, env, encoding: 'utf8' })
  expect(shown).toMatchObject({ status: 0, stdout: `${version()}\n`, stderr: '' })

  const service = spawn(command, ['serve'], { cwd: project, env })
  killWithTest(service)
  const { url } = await readyService(service)
  for (const path of ['/events.ics', '/', '/board', '/board.png']) {
    expect((await fetch(`${url}${path}`)).status).toBe(200)
  }
})
