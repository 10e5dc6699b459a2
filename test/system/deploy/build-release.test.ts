import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { killWithTest, readyService } from '../../support/command-line.ts'
import { npmForTests } from '../../support/programs.ts'
import { makeRepository, npmEnvironment } from '../../support/repository.ts'
import { testDirectory } from '../../support/service.ts'

/** The first installation downloads packages from the registry or copies them from npm's cache. */
const installMs = 240_000

/** The commands of docs/deploy.md, with another directory instead of /opt/feedhouse. */
const commands = (target: string) => [
  'sha256sum --check feedhouse-*.tar.gz.sha256',
  'tar -xzf feedhouse-*.tar.gz',
  'sh feedhouse-*/deploy/install-release.sh /opt/feedhouse'.replace('/opt/feedhouse', target),
]

test(
  'an archive installs and serves without git, npm and a network',
  { timeout: installMs },
  async () => {
    const [clone, archives, programs, target, empty] = Array.from({ length: 5 }, testDirectory) as [
      string,
      string,
      string,
      string,
      string,
    ]
    makeRepository(clone)
    const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'))
    const built = spawnSync('sh', ['deploy/build-release.sh', archives], {
      cwd: clone,
      env: { ...npmEnvironment, HOME: homedir(), PATH: `${npmForTests}:${process.env['PATH']}` },
      encoding: 'utf8',
    })
    expect(built).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Built .*\n$/m) })
    const name = `feedhouse-${version}-linux-${process.arch}`
    const files = ['cdx.json', 'tar.gz', 'tar.gz.sha256'].map((type) => `${name}.${type}`)
    expect(readdirSync(archives)).toEqual(files)
    const bill = JSON.parse(readFileSync(join(archives, `${name}.cdx.json`), 'utf8'))
    expect(bill.metadata.component).toMatchObject({ name: 'feedhouse', version })

    for (const missing of ['curl', 'git', 'node', 'npm']) {
      writeFileSync(join(programs, missing), '#!/bin/sh\nexit 99\n', { mode: 0o755 })
    }
    const env = { PATH: `${programs}:/usr/bin:/bin`, PORT: '0' }
    const script = commands(target).join(' && ')
    const installed = spawnSync('sh', ['-c', script], { cwd: archives, env, encoding: 'utf8' })
    expect(installed).toMatchObject({ status: 0, stderr: '' })
    expect(installed.stdout).toMatch(new RegExp(`^Installed release-[\\d-]+-${version}\\.$`, 'm'))

    const current = join(target, 'current')
    for (const development of ['findings', 'test']) {
      expect(readdirSync(current)).not.toContain(development)
    }
    expect(readdirSync(join(current, 'node_modules'))).not.toContain('vitest')
    const service = spawn(join(current, 'node'), [join(current, 'src/main.ts'), 'serve'], {
      cwd: empty,
      env,
    })
    killWithTest(service)
    const { url } = await readyService(service)
    expect((await fetch(`${url}/events.ics`)).status).toBe(200)
    expect((await fetch(`${url}/board.png`)).status).toBe(200)
    // sharp, the only package with compiled code, draws it.
    const [, path = ''] = /href="([^"]+\.png)"/.exec(await (await fetch(url)).text()) ?? []
    expect((await fetch(new URL(path, url))).headers.get('content-type')).toBe('image/png')
  },
)
