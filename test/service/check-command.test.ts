import { expect, onTestFinished, test } from 'vitest'
import type { Finding } from '../../src/upstream/site-check.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { resultOf, run } from '../support/command-line.ts'
import { createManager } from '../support/manager.ts'
import { settingsFor } from '../support/sandbox.ts'
import { temporaryDirectory } from '../support/service.ts'

/** A sandbox on the real clock, and how `check` finds it. */
async function siteOf() {
  const sandbox = await createSandbox()
  const directory = temporaryDirectory()
  onTestFinished(async () => {
    await sandbox[Symbol.asyncDispose]()
    directory[Symbol.dispose]()
  })
  const settings = settingsFor(sandbox)
  const check = (changes: Record<string, string> = {}, ...args: readonly string[]) =>
    resultOf(run(directory.path, ['check', ...args], { ...settings, ...changes }))
  return { sandbox, check, settings }
}

test('a site in order: every resource, clock and budget are fine', async () => {
  const { check } = await siteOf()
  const { code, stdout, stderr } = await check()
  expect(stderr).toBe('')
  expect(code).toBe(0)
  const lines = stdout.trimEnd().split('\n')
  expect(lines.shift()).toMatch(/^Checking https:.*14 of the 30 calls/)
  expect(lines).toHaveLength(17)
  expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([])
})

test('what is wrong is told as JSON too, and in the exit status', async () => {
  const { check, sandbox } = await siteOf()
  await (await createManager(sandbox)).setProject(1, { endpoints: ['events', 'calendar'] })
  const { code, stdout } = await check({ SITE_TIME_ZONE: 'Asia/Tokyo' }, '--json')
  expect(code).toBe(1)
  const findings = stdout
    .trimEnd()
    .split('\n')
    .map((line): Finding => JSON.parse(line))
  expect(findings.filter(({ ok }) => !ok).map(({ check }) => check)).toEqual(['news', 'clock'])
  expect(findings.find(({ check }) => check === 'news')?.code).toBe('endpoint_not_allowed')
})

test('a wrong token is told with who has to do what', async () => {
  const { check, settings } = await siteOf()
  // What lasts of the right one is no use for another.
  expect((await check()).code).toBe(0)
  const wrong = 'not-the-token-555-0199'
  const { code, stdout, stderr } = await check({ SITE_REFRESH_TOKEN: wrong })
  expect(code).toBe(1)
  expect(stdout).toMatch(/^FAULT {2}There is no access token .*token_invalid.*Members Area/m)
  expect(stdout + stderr).not.toContain(wrong)
  expect(stdout + stderr).not.toContain(settings.SITE_REFRESH_TOKEN)
})

test('a certificate that is not trusted is told', async () => {
  const { check } = await siteOf()
  const { code, stdout } = await check({ SITE_CA_FILE: '' })
  expect(code).toBe(1)
  expect(stdout).toContain('set SITE_CA_FILE')
})

test('without a site there is nothing to check', async () => {
  const { check } = await siteOf()
  const none = { SITE_URL: '', SITE_REFRESH_TOKEN: '', SITE_TIME_ZONE: '', SITE_CA_FILE: '' }
  expect(await check(none)).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: 'SITE_URL is not set, so there is no website to check.\n',
  })
})
