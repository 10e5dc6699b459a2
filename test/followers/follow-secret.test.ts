import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { followSecret } from '../../src/followers/follow-secret.ts'
import { testDirectory } from '../support/service.ts'

test('creates a secret that only its owner can read, and keeps it', () => {
  const dataDirectory = testDirectory()
  const secret = followSecret({ dataDirectory })
  expect(secret).toMatch(/^[\w-]{43}$/)
  expect(followSecret({ dataDirectory })).toBe(secret)
  const file = join(dataDirectory, 'mail.key')
  expect(readFileSync(file, 'utf8')).toBe(`${secret}\n`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('uses the secret from the settings', () => {
  expect(followSecret({ mailKey: 'from the settings', dataDirectory: '/nowhere' })).toBe(
    'from the settings',
  )
})

test('never uses an empty secret, such as one that another process is writing', () => {
  const dataDirectory = testDirectory()
  const file = join(dataDirectory, 'mail.key')
  writeFileSync(file, '')
  expect(() => followSecret({ dataDirectory })).toThrow(`${file} is incomplete`)
})
