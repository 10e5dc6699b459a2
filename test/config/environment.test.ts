import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError } from '../../src/config/config-error.ts'
import { readConfig } from '../../src/config/config.ts'
import { mergedEnvironment } from '../../src/config/env-file.ts'
import { settingsIn } from '../../src/config/environment.ts'
import { temporaryDirectory } from '../support/service.ts'

const root = resolve(import.meta.dirname, '../..')

test('reads a .env file, but gives environment variables precedence', () => {
  using directory = temporaryDirectory()
  writeFileSync(
    join(directory.path, '.env'),
    '\uFEFFFEEDHOUSE_TEST_ONLY=from-file\r\nPATH=from-file\r\n',
  )
  const environment = mergedEnvironment(directory.path)
  expect(environment['FEEDHOUSE_TEST_ONLY']).toBe('from-file')
  expect(environment['PATH']).toBe(process.env['PATH'])
  expect(mergedEnvironment(root)['FEEDHOUSE_TEST_ONLY']).toBeUndefined()
})

test('reports lines in the .env file that have no effect, without quoting them', () => {
  using directory = temporaryDirectory()
  const lines = [
    '# Settings',
    '',
    'PUBLIC_FEEDS events',
    'SITE_LINKS="{',
    '  nothing here',
    '}"',
    'export PORT=1234',
    'TRUST_PROXY: 1',
    'SITE_COLOR=#B3261E',
    'SITE_COLOR="#B3261E"',
    'SITE_PLACE=Ashton #1',
  ]
  writeFileSync(join(directory.path, '.env'), lines.join('\n'))
  expect(settingsIn(directory.path, {}).faults).toEqual([
    'Line 3 of .env is ignored: write NAME=value.',
    'Line 8 of .env is ignored: write NAME=value.',
    'Line 9 of .env has no value, because # starts a comment: remove the #.',
  ])
})

test('reports a misspelled setting in the .env file together with all other faults', () => {
  using directory = temporaryDirectory()
  const lines = ['SITE_TIMEZONE=America/New_York', 'PORT=x', 'COMPOSE_PROJECT_NAME=feedhouse']
  writeFileSync(join(directory.path, '.env'), lines.join('\n'))
  const { environment, faults } = settingsIn(directory.path)
  const read = () => readConfig(environment, faults)
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(
    'In .env: Unknown setting SITE_TIMEZONE; did you mean SITE_TIME_ZONE?\nPORT must be',
  )
})
