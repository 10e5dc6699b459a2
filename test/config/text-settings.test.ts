import { expect, test } from 'vitest'
import { readConfig, type SiteSettings } from '../../src/config/config.ts'
import {
  parseStoredSettings,
  readSettings,
  withStoredSettings,
  type SettingsForm,
} from '../../src/config/stored-settings.ts'
import { eachText, textNames, variableOf } from '../../src/config/text-settings.ts'
import { identityFrom } from '../../src/feeds/identity.ts'
import { siteEnvironment } from '../support/site-environment.ts'

/** A value of each setting that is not normalized. */
const values = {
  ...eachText((name) => `Text of the ${name}`),
  color: '#b3261e',
  logo: 'https://www.example.org/logo.png',
  language: 'es-PR',
}

const empty: SettingsForm = {
  ...eachText(() => ''),
  places: '',
  fresh: '',
  publicFeeds: undefined,
}

/** Returns the settings of a site, as pages get them. */
function shownIn(site: SiteSettings): Readonly<Record<string, unknown>> {
  return { ...site, ...identityFrom(site.identity ?? {}, values.name) }
}

const { site: before, ...others } = readConfig(siteEnvironment)
if (!before) throw new Error('no site')
const configured = { ...others, publicFeeds: [], site: before }

test.for(textNames)('an admin can change the %s, and stores keep it', (name) => {
  const reading = readSettings({ ...empty, [name]: values[name] })
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults))
  const stored = JSON.stringify(reading.settings)
  expect(JSON.parse(stored)).toEqual({ [name]: values[name] })
  const config = withStoredSettings(configured, parseStoredSettings(stored))
  expect(shownIn(config.site)[name]).toBe(values[name])
})

test.for(textNames)('the environment has a variable for the %s', (name) => {
  const { site } = readConfig({ ...siteEnvironment, [variableOf(name)]: values[name] })
  expect(site && shownIn(site)[name]).toBe(values[name])
})
