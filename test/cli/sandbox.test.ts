import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { outputUntil, resultOf, run } from '../support/command-line.ts'
import { readySandbox } from '../support/sandbox-command.ts'
import { temporaryDirectory, testDirectory } from '../support/service.ts'

describe('sandbox', () => {
  test('prints one line of JSON that clients need to connect', async () => {
    const child = run(testDirectory(), ['sandbox', '--access-token-seconds', '60', '--json'])
    const [output, notice] = await Promise.all([
      outputUntil(child, /\n/),
      outputUntil({ stdout: child.stderr }, /\n/),
    ])
    expect(notice).toMatch(
      /^Manage API Projects at https:\/\/localhost:\d+\/manage\/api\/ \(password [\w-]{16}\)\n$/,
    )
    const ready = JSON.parse(output)
    expect(ready).toEqual({
      url: expect.stringMatching(/^https:\/\/localhost:\d+$/),
      httpUrl: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      caFile: expect.stringMatching(/ca\.pem$/),
      projects: [{ id: 1, name: 'demo', refreshToken: expect.stringMatching(/^[\w-]{44}$/) }],
    })
    expect(readFileSync(ready.caFile, 'utf8')).toContain('BEGIN CERTIFICATE')
    expect((await fetch(ready.httpUrl)).status).toBe(403)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    expect(() => readFileSync(ready.caFile)).toThrow('ENOENT')
  })

  test('can be read by a service that another command starts', async () => {
    using directory = temporaryDirectory()
    const sandbox = run(directory.path, ['sandbox'])
    const { url, caFile, projects } = JSON.parse(await outputUntil(sandbox, /\n/))
    const service = run(directory.path, ['serve'], {
      SITE_URL: url,
      SITE_REFRESH_TOKEN: projects[0].refreshToken,
      SITE_TIME_ZONE: 'America/New_York',
      SITE_CA_FILE: caFile,
    })
    const output = await outputUntil(service, /Stop with Ctrl\+C/)
    const [page = ''] = output.match(/http:\S+/g) ?? []
    expect((await fetch(`${page}events.ics`)).status).toBe(200)
    expect((await fetch(`${page}calendar.ics`)).status).toBe(403)
  })
})

test('keeps running if no process reads its output', async () => {
  using directory = temporaryDirectory()
  writeFileSync(join(directory.path, 'news.json'), '[]')
  const { child, ready, call, refresh } = await readySandbox(
    run(directory.path, ['sandbox', '--dataset', '.']),
  )
  const { access_token: token = '' } = await refresh(ready.projects[0].refreshToken)
  child.stderr.destroy()
  for (const content of ['broken', '[]', 'broken again', '[ ]']) {
    writeFileSync(join(directory.path, 'news.json'), content)
    expect(await call('GET', 'news/', token)).toMatchObject({ status: 200 })
  }
})

test('reports each fault in a dataset on one line and exits with 1', async () => {
  using directory = temporaryDirectory()
  writeFileSync(join(directory.path, 'members.json'), '[{"id":1}]')
  writeFileSync(join(directory.path, 'news.json'), '7')
  const { code, stdout, stderr } = await resultOf(
    run(directory.path, ['sandbox', '--dataset', '.']),
  )
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('members.json, index 0 (id 1), firstName: ')
  expect(stderr).toContain('news.json: not a JSON array of records.\n')
})
