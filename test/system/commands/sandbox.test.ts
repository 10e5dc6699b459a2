import { once } from 'node:events'
import { expect, test } from 'vitest'
import { runProcess } from '../../support/command-line.ts'
import { readySandbox } from '../../support/sandbox-command.ts'
import { temporaryDirectory } from '../../support/service.ts'

test('keeps the state of a killed sandbox', async () => {
  using directory = temporaryDirectory()
  const options = ['--data-dir', 'state', '--calls-per-day', '5']
  const first = await readySandbox(runProcess(directory.path, ['sandbox', ...options]))
  const { refreshToken } = first.ready.projects[0]
  const { access_token: token = '' } = await first.refresh(refreshToken)
  expect(await first.call('GET', 'news/', token)).toMatchObject({ status: 200 })
  const exited = once(first.child, 'exit')
  first.child.kill('SIGKILL')
  expect(await exited).toEqual([null, 'SIGKILL'])

  const second = await readySandbox(runProcess(directory.path, ['sandbox', ...options]))
  expect(second.ready.projects).toEqual([{ id: 1, name: 'demo' }])
  expect(second.ready.caFile).toBe(first.ready.caFile)
  expect(await second.call('GET', 'news/', token)).toMatchObject({ status: 200 })
  expect(await second.refresh(refreshToken)).toMatchObject({ project: 'demo' })
  await second.call('GET', 'news/', token)
  expect(await second.call('GET', 'news/', token)).toMatchObject({ code: 'rate_limited' })
})
