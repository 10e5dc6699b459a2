import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { createLogger } from '../../src/log.ts'
import { createRefreshToken } from '../../src/config/refresh-token.ts'
import { testDirectory } from '../support/service.ts'

/** Creates a refresh token that is read from a file. */
function tokenInFile() {
  const file = join(testDirectory(), 'token')
  writeFileSync(file, 'first\n')
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => lines.push(line) })
  const site = { url: 'https://www.example.org', refreshToken: 'first', refreshTokenFile: file }
  return { file, lines, token: createRefreshToken(site, log) }
}

test('reports only once that the token in the file was replaced', async () => {
  const { file, lines, token } = tokenInFile()
  const before = token.fingerprint()
  expect(await token.reread()).toBe(false)
  writeFileSync(file, ' second\n')
  expect(await token.reread()).toBe(true)
  expect(token.current()).toBe('second')
  expect(token.fingerprint()).not.toBe(before)
  expect(await token.reread()).toBe(false)
  expect(lines).toHaveLength(1)
  expect(lines.join()).not.toContain('second')
})

test.for(['', '"quoted"', 'two tokens', undefined])(
  'keeps the token if the file contains %j',
  async (text) => {
    const { file, lines, token } = tokenInFile()
    if (text === undefined) rmSync(file)
    else writeFileSync(file, text)
    expect([await token.reread(), await token.reread()]).toEqual([false, false])
    expect(token.current()).toBe('first')
    expect(lines).toHaveLength(1)
  },
)

test('never changes a token that comes from the environment', async () => {
  const site = { url: 'https://www.example.org', refreshToken: 'first' }
  const token = createRefreshToken(site, createLogger('silent'))
  expect(await token.reread()).toBe(false)
  expect(token.current()).toBe('first')
})

test('resolves the token file relative to the settings file', () => {
  const directory = testDirectory()
  writeFileSync(join(directory, 'token'), 'first')
  const settings = { SITE_URL: 'https://www.example.org', SITE_TIME_ZONE: 'UTC' }
  const { site } = readConfig({ ...settings, SITE_REFRESH_TOKEN_FILE: 'token' }, [], directory)
  expect(site).toMatchObject({ refreshToken: 'first', refreshTokenFile: join(directory, 'token') })
})
