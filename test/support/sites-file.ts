import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testDirectory } from './service.ts'

/** Settings of two sites. */
export const ashton = {
  SITE_URL: 'https://www.ashton.example',
  SITE_REFRESH_TOKEN: 'secret-of-ashton',
  SITE_TIME_ZONE: 'America/Chicago',
  SITE_COLOR: '1f5fbf',
  SITE_LOGO: './ashton.svg',
  PUBLIC_URL: 'https://feeds.example.org/ashton',
}
export const milbrook = {
  SITE_URL: 'https://www.milbrook.example',
  SITE_REFRESH_TOKEN_FILE: 'milbrook-token',
  SITE_TIME_ZONE: 'America/New_York',
  PUBLIC_URL: 'https://feeds.milbrook.example',
  CALLS_PER_DAY: 2000,
  PUBLIC_FEEDS: '',
}

/**
 * Creates a sites file that contains the given sites or text, and returns an environment that
 * refers to it.
 */
export function environmentWith(sites: unknown, others: Record<string, string> = {}) {
  const directory = testDirectory()
  const file = join(directory, 'sites.json')
  writeFileSync(file, typeof sites === 'string' ? sites : JSON.stringify(sites))
  writeFileSync(join(directory, 'ashton.svg'), '<svg/>')
  writeFileSync(join(directory, 'milbrook-token'), 'secret-of-milbrook\n')
  return { environment: { SITES_FILE: file, ...others }, file }
}
