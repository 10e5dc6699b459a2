import { ConfigError } from '../../src/config/config-error.ts'
import { readConfig } from '../../src/config/config.ts'
import { type Environment } from '../../src/config/environment.ts'

/** Required settings for a site, without any optional settings. */
export const siteEnvironment = {
  SITE_URL: 'https://www.example.org/',
  SITE_REFRESH_TOKEN: 'secret-token',
  SITE_TIME_ZONE: 'America/New_York',
}

/** Returns the errors for rejected settings. Throws if the settings are accepted. */
export function faultsFrom(readSettings: () => unknown): readonly string[] {
  try {
    readSettings()
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
  }
  throw new Error('the settings were accepted')
}

export const faultsOf = (environment: Environment) => faultsFrom(() => readConfig(environment))
