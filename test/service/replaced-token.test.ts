import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { outputUntil, resultOf, run } from '../support/command-line.ts'
import { createManager } from '../support/manager.ts'
import { settingsFor } from '../support/sandbox.ts'
import { testDirectory } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

test('uses a new token from the token file after `check` succeeds', async () => {
  const sandbox = await createSandbox()
  onTestFinished(() => sandbox[Symbol.asyncDispose]())
  const manager = await createManager(sandbox)
  const directory = testDirectory()
  const { SITE_REFRESH_TOKEN: former, ...settings } = settingsFor(sandbox)
  const tokenFile = join(directory, 'ashton.token')
  writeFileSync(tokenFile, former)
  const ashton = {
    ...settings,
    SITE_REFRESH_TOKEN_FILE: 'ashton.token',
    PUBLIC_URL: 'http://127.0.0.1:80/ashton',
  }
  writeFileSync(join(directory, 'sites.json'), JSON.stringify({ ashton }))
  const environment = { SITES_FILE: 'sites.json' }
  const token = await manager.regenerate(1)

  const service = run(directory, ['serve'], environment)
  const output = await outputUntil(service, /Stop with/)
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output.replaceAll(ashton.PUBLIC_URL, ''))?.[0] ?? ''
  const statusText = async () => (await fetch(`${url}/status`)).text()
  await waitFor(async () =>
    expect(await statusText()).toContain('does not recognize SITE_REFRESH_TOKEN'),
  )

  writeFileSync(tokenFile, token)
  const checked = await resultOf(run(directory, ['check', '--site', 'ashton'], environment))
  expect(checked.stdout).toContain(', and it accepts the token.')
  await waitFor(async () => expect(JSON.parse(await statusText())).toMatchObject({ ok: true }))
})
