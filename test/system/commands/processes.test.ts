import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  compileCache,
  killWithTest,
  main,
  outputUntil,
  resultOf,
  runProcess,
} from '../../support/command-line.ts'
import { temporaryDirectory } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'

test('runs every command in a separate process', async () => {
  using directory = temporaryDirectory()
  const sandbox = runProcess(directory.path, ['sandbox', '--data-dir', 'sandbox'])
  const ready = JSON.parse(await outputUntil(sandbox, /\n/))
  const environment = {
    SITE_URL: ready.url,
    SITE_REFRESH_TOKEN: ready.projects[0].refreshToken,
    SITE_TIME_ZONE: 'America/New_York',
    SITE_CA_FILE: ready.caFile,
    PUBLIC_URL: 'https://feeds.example.org',
  }
  const printedBy = async (...args: readonly string[]) => {
    const result = await resultOf(runProcess(directory.path, args, environment))
    expect({ args, code: result.code, stderr: result.stderr }).toEqual({
      args,
      code: 0,
      stderr: '',
    })
    return result.stdout
  }

  expect(await printedBy('sandbox', 'project', 'list', '--data-dir', 'sandbox')).toContain('"demo"')
  expect(await printedBy('check')).toMatch(/^ok {5}events/m)
  expect(await printedBy('render', 'events.ics')).toMatch(/^BEGIN:VCALENDAR/)
  expect(await printedBy('export', '--out', 'web')).toMatch(/files written/)
  expect(readFileSync(join(directory.path, 'web/events.ics'), 'utf8')).toMatch(/^BEGIN:VCALENDAR/)
  expect(await printedBy('backup', 'backup.gz')).toMatch(/^Backed up https:/)

  const restored = runProcess(directory.path, ['restore', 'backup.gz'], {
    ...environment,
    DATA_DIR: 'other',
  })
  expect(await resultOf(restored)).toMatchObject({ code: 0, stderr: '' })

  const service = runProcess(directory.path, ['serve'], environment)
  await outputUntil(service, /Stop with Ctrl\+C/)
  await waitFor(async () =>
    expect(await printedBy('link', 'add', '--label', 'Crew')).toMatch(/^https:\S+\/l\//),
  )
  const accepted = await resultOf(
    runProcess(directory.path, ['collections', 'accept', 'events'], environment),
  )
  expect(accepted).toMatchObject({ code: 1, stdout: '' })
  for (const child of [service, sandbox]) {
    const exited = once(child, 'exit')
    child.kill('SIGINT')
    expect(await exited).toEqual([0, null])
  }
})

test('`render` exits quietly when the reader of its output closes the pipe', async () => {
  using directory = temporaryDirectory()
  const sandbox = runProcess(directory.path, ['sandbox'])
  const ready = JSON.parse(await outputUntil(sandbox, /\n/))
  const line = `"${process.execPath}" "${main}" render signup.ics | head -c 1`
  const reader = spawn('bash', ['--norc', '-o', 'pipefail', '-c', line], {
    cwd: directory.path,
    env: {
      ...compileCache(),
      PATH: process.env['PATH'],
      SITE_URL: ready.url,
      SITE_REFRESH_TOKEN: ready.projects[0].refreshToken,
      SITE_TIME_ZONE: 'America/New_York',
      SITE_CA_FILE: ready.caFile,
    },
  })
  killWithTest(reader)
  expect(await resultOf(reader)).toEqual({ code: 0, stdout: 'B', stderr: '' })
})
