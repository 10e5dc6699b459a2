import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { mergedEnvironment } from '../../src/config/env-file.ts'
import { secretFiles, settingsIn } from '../../src/config/environment.ts'
import { changeSettings, replaceFile, writeFault } from '../../src/config/settings-file.ts'
import { faultsFrom } from '../support/site-environment.ts'
import { testDirectory } from '../support/service.ts'

const modeOf = (path: string) => statSync(path).mode & 0o777

test('creates a file that only this user can read', () => {
  const path = join(testDirectory(), '.env')
  changeSettings(path, { SITE_URL: 'https://www.example.org', SITE_NAME: '', PORT: '8080' })
  expect(readFileSync(path, 'utf8')).toBe('SITE_URL=https://www.example.org\nPORT=8080\n')
  expect(modeOf(path)).toBe(0o600)
})

test('keeps all other lines, and replaces or unsets a setting where it is', () => {
  const path = join(testDirectory(), '.env')
  const text = `# My settings\n#SITE_NAME=Example\nexport SITE_NAME = "Old\nname" # old\nSITE_LINKS='news=1\nevents=2'\n\nTOKEN=x\nPORT=1`
  writeFileSync(path, text)
  chmodSync(path, 0o644)
  changeSettings(path, { SITE_NAME: 'New', TOKEN: '', HOST: '::' })
  expect(readFileSync(path, 'utf8')).toBe(
    `# My settings\n#SITE_NAME=Example\nSITE_NAME=New\nSITE_LINKS='news=1\nevents=2'\n\nTOKEN=\nPORT=1\nHOST=::\n`,
  )
  expect(modeOf(path)).toBe(0o640)
})

test.for([
  'Ashton Fire & Rescue',
  'O’Neill #5',
  `O'Neill "Hook" Company`,
  '$HOME \\n `x`',
  ' spaces ',
  'Bomberos de Añasco 🚒',
])('writes %s so that it is read back', (value) => {
  const path = join(testDirectory(), '.env')
  changeSettings(path, { SITE_NAME: value, SITE_PLACE: 'Ashton' })
  expect(parseEnv(readFileSync(path, 'utf8'))).toEqual({ SITE_NAME: value, SITE_PLACE: 'Ashton' })
})

test('changes nothing if a value cannot be written', () => {
  const path = join(testDirectory(), '.env')
  writeFileSync(path, 'PORT=1\n')
  expect(faultsFrom(() => changeSettings(path, { SITE_PLACE: `#'"\`` }))).toEqual([
    `SITE_PLACE cannot be written to ${path}. Edit the file instead.`,
  ])
  expect(readFileSync(path, 'utf8')).toBe('PORT=1\n')
})

test('replaces the file that a link points to', () => {
  const directory = testDirectory()
  const target = join(directory, 'settings.env')
  const path = join(directory, '.env')
  writeFileSync(target, 'PORT=1\n')
  symlinkSync(target, path)
  changeSettings(path, { PORT: '2' })
  expect(readFileSync(target, 'utf8')).toBe('PORT=2\n')
})

test('explains that a file cannot be written', () => {
  const directory = testDirectory()
  const missing = join(directory, 'missing', '.env')
  const sentence = `${missing} cannot be written (ENOENT). Let the user with id ${process.getuid?.()} write to its directory, or set SETTINGS_FILE to a path in a writable directory.`
  expect(writeFault(missing)).toBe(sentence)
  expect(faultsFrom(() => replaceFile(missing, ''))).toEqual([sentence])
  expect(writeFault(join(directory, '.env'))).toBeUndefined()
  mkdirSync(join(directory, 'taken'))
  expect(faultsFrom(() => replaceFile(join(directory, 'taken'), ''))).toEqual([
    expect.stringContaining('taken cannot be written (EISDIR).'),
  ])
})

test('reads settings from the file that the environment names', () => {
  const directory = testDirectory()
  const path = join(directory, 'settings.env')
  writeFileSync(path, 'PORT=1\nHOST: x\nSITE_TIMEZONE=x\nSETTINGS_FILE=y\n')
  writeFileSync(join(directory, '.env'), 'PORT=2\n')
  const environment = { SETTINGS_FILE: 'settings.env' }
  expect(mergedEnvironment(directory, environment)).toMatchObject({ PORT: '1' })
  expect(settingsIn(directory, environment)).toMatchObject({
    path,
    faults: [
      `Line 2 of ${path} is ignored: write NAME=value.`,
      `In ${path}: Unknown setting SITE_TIMEZONE; did you mean SITE_TIME_ZONE?`,
      `SETTINGS_FILE has no effect in ${path}.`,
    ],
  })
  expect(secretFiles(environment, directory)).toEqual([path])
})
