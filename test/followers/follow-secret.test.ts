import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { followSecret } from '../../src/followers/follow-secret.ts'
import { testDirectory } from '../support/service.ts'

test('creates a secret that only its owner can read, and keeps it', () => {
  const dataDirectory = testDirectory()
  expect(followSecret({ dataDirectory }, false)).toBeUndefined()
  const secret = followSecret({ dataDirectory }, true)
  expect(secret).toMatch(/^[\w-]{43}$/)
  expect(followSecret({ dataDirectory }, true)).toBe(secret)
  expect(followSecret({ dataDirectory }, false)).toBe(secret)
  const file = join(dataDirectory, 'mail.key')
  expect(readFileSync(file, 'utf8')).toBe(`${secret}\n`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('uses the secret from the settings', () => {
  const settings = { mailKey: 'from the settings', dataDirectory: '/nowhere' }
  expect(followSecret(settings, false)).toBe('from the settings')
})

test('never uses an empty secret, such as one that another process is writing', () => {
  const dataDirectory = testDirectory()
  const file = join(dataDirectory, 'mail.key')
  writeFileSync(file, '')
  expect(() => followSecret({ dataDirectory }, true)).toThrow(`${file} is incomplete`)
})
