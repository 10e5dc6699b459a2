import { spawn } from 'node:child_process'
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
