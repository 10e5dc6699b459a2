import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { settingsIn } from '../../src/config/environment.ts'
import { readSitesConfig } from '../../src/config/sites-config.ts'
import { readSettings, textFields } from '../../src/config/stored-settings.ts'
import { testDirectory } from '../support/service.ts'
import { faultsFrom, faultsOf, siteEnvironment } from '../support/site-environment.ts'

const advice = 'delete it, or type the text instead of pasting it.'

const sentence = (name: string, character: string, place: string) =>
  `${name} contains an invisible character, ${character}, as ${place}: ${advice}`

test.for([
  ['\u00A0', 'U+00A0 (no-break space)'],
  ['\u00AD', 'U+00AD (soft hyphen)'],
  ['\u061C', 'U+061C (text direction mark)'],
  ['\u200B', 'U+200B (zero-width space)'],
  ['\u200E', 'U+200E (text direction mark)'],
  ['\u202A', 'U+202A (text direction mark)'],
  ['\u2060', 'U+2060 (word joiner)'],
  ['\u2066', 'U+2066 (text direction mark)'],
  ['\uFEFF', 'U+FEFF (byte order mark)'],
] as const)('refuses a setting with an invisible character: %j', ([character, name]) => {
  const environment = { ...siteEnvironment, SITE_NAME: `Cedar${character}Hollow` }
  expect(faultsOf(environment)).toEqual([sentence('SITE_NAME', name, 'character 6')])
})

test('reports a name copied from a message only once', () => {
  const environment = { ...siteEnvironment, SITE_TIME_ZONE: 'America/New_\u200BYork' }
  const fault = sentence('SITE_TIME_ZONE', 'U+200B (zero-width space)', 'character 13')
  expect(faultsOf(environment)).toEqual([fault])
})

test('ignores them at the ends of a setting, where spaces are ignored too', () => {
  const environment = { ...siteEnvironment, SITE_TIME_ZONE: '\uFEFF America/New_York\u00A0' }
  expect(readConfig(environment).site?.timeZone).toBe('America/New_York')
})

test('allows characters that join others, like in emoji, and the variables of other programs', () => {
  const environment = { ...siteEnvironment, SITE_NAME: 'VFD 👩‍🚒', PS1: '\u200B>' }
  expect(readConfig(environment).site?.name).toBe('VFD 👩‍🚒')
})

test('names the invisible characters in all settings at once, without quoting them', () => {
  const directory = testDirectory()
  writeFileSync(join(directory, 'token'), 'abc\u200Bdef\n')
  writeFileSync(join(directory, 'places.json'), '[\n  {"name": "Town\u00A0Hall"}\n]')
  const environment = {
    ...siteEnvironment,
    SITE_REFRESH_TOKEN: undefined,
    SITE_REFRESH_TOKEN_FILE: 'token',
    PLACES: 'places.json',
  }
  const faults = faultsFrom(() => readConfig(environment, [], directory))
  expect(faults.filter((fault) => fault.includes('invisible'))).toEqual([
    sentence('SITE_REFRESH_TOKEN', 'U+200B (zero-width space)', 'character 4'),
    sentence('PLACES', 'U+00A0 (no-break space)', 'line 2, character 17'),
  ])
})

test('finds them in the name of a setting in .env', () => {
  const directory = testDirectory()
  writeFileSync(join(directory, '.env'), 'SITE_\u200BTIME_ZONE=America/New_York\n')
  expect(settingsIn(directory, {}).faults).toEqual([
    `In .env: ${sentence('The name SITE_TIME_ZONE', 'U+200B (zero-width space)', 'character 6')}`,
  ])
})

test('finds them in a sites file', () => {
  const sites = { ashton: { ...siteEnvironment, 'SITE_\u200BNAME': 'A', SITE_PLACE: 'B\u00ADC' } }
  const read = () => readSitesConfig({ SITES_FILE: 'sites.json' }, [], '.', JSON.stringify(sites))
  expect(faultsFrom(read).filter((fault) => fault.includes('invisible'))).toEqual([
    `Site ashton: ${sentence('The name SITE_NAME', 'U+200B (zero-width space)', 'character 6')}`,
    `Site ashton: ${sentence('SITE_PLACE', 'U+00AD (soft hyphen)', 'character 2')}`,
  ])
})

test('finds them in the form on the admin page', () => {
  const empty = Object.fromEntries(textFields.map((field) => [field, ''])) as Record<
    (typeof textFields)[number],
    string
  >
  const places = 'Hall | 1 Main St | 42.1, -74.2\nPark\u200B | 2 Main St | 42.2, -74.3'
  const sent = { ...empty, name: 'VFD\u200B 1', places, publicFeeds: undefined }
  expect(readSettings(sent)).toEqual({
    ok: false,
    faults: [
      ['places', 'line 2, character 5'],
      ['name', 'character 4'],
    ].map(([field, place = '']) => ({
      field,
      fault: sentence('', 'U+200B (zero-width space)', place).slice(1, -1),
      isInvisible: true,
    })),
    placeFaults: [],
  })
})
