import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { testDirectory } from '../support/service.ts'
import { faultsOf, siteEnvironment } from '../support/site-environment.ts'

/** Each error, and values of its setting or environments that cause it. */
const cases: readonly (readonly [fault: string, ...causes: (string | Environment)[]])[] = [
  ['PORT must be a whole number from 0 to 65535.', 'abc', '65536', '-1'],
  ['TRUST_PROXY must be off or the number of proxies, 1 to 10.', 'yes'],
  ['WORKERS must be a whole number from 1 to 64.', '0', '65'],
  ['SITES_URL is set, but SITES_FILE is not.', 'https://x.org'],
  ['ADVERTISE_URL is set, but SITES_FILE is not.', 'http://10.0.0.5:8080'],
  [
    'ADVERTISE_URL is set, but REDIS_URL is not.',
    { SITES_FILE: 'sites.json', ADVERTISE_URL: 'http://10.0.0.5:8080' },
  ],
  [
    'ADVERTISE_URL must be an http or https URL without a path, like http://10.0.0.5:8080.',
    '10.0.0.5:8080',
    'http://10.0.0.5/feeds',
    'ftp://10.0.0.5',
    'http://user@10.0.0.5',
  ],
  ['COUNTY_NAME is set, but SITES_FILE is not.', 'Cedar'],
  ['COUNTY_LISTING is set, but SITES_FILE is not.', 'yes'],
  ['COUNTY_NAME is set, but SITES_URL is not.', { SITES_FILE: 'sites.json', COUNTY_NAME: 'Cedar' }],
  ['SITES_PASSWORD is set, but SITES_FILE is not.', 'x'],
  [
    'SITES_FILE_HEADER is set, but SITES_FILE is not a URL.',
    { SITES_FILE: 'sites.json', SITES_FILE_HEADER: 'Authorization: Bearer x' },
  ],
  [
    'SITES_FILE must be the path of a file, or an https URL without a user name and password.',
    'http://config.example/sites.json',
  ],
  [
    'SITES_FILE must be the path of a file, or an https URL without a user name and password.',
    'https://user:x@config.example/',
  ],
  ['SITES_FILE_HEADER must be a header, like Authorization: Bearer TOKEN.', 'Bearer x'],
  ['CALLS_PER_MINUTE must be a whole number from 1 to 30.', '31'],
  ['FRESH_SECONDS must be a whole number from 60 to 86400.', '5'],
  [
    'REDIS_URL must be the URL of a Redis server, like redis://localhost:6379.',
    'localhost:6379',
    'https://redis.example',
    'redis://host/abc',
    'redis://:50%@host',
  ],
  [
    'REDIS_URL must list servers of the cluster, like redis-cluster://one:6379,two:6379.',
    'redis-cluster://one:x',
  ],
  ['SITE_COLOR must be six hex digits, like b3261e, or a color name, like firebrick.', '#b32'],
  ['SITE_LANGUAGE must be a language, like en-US, es-PR or fr-CA.', 'en_US'],
  ['SITE_LANGUAGE must be a language, like en-US, es-PR or fr-CA.', 'Spanish'],
  ['SITE_PLACE must be one line, like Cedar Hollow, NY.', 'Cedar Hollow\nNew York'],
  ['SITE_PLACE must have at most 60 characters.', 'x'.repeat(61)],
  ['SITE_LOGO names a file that does not exist: missing.png.', 'missing.png'],
  [
    'SITE_LOGO must be an https URL, or the path of a file that ends in .png, .jpg, .webp, .gif or .svg.',
    'package.json',
    'http://www.example.org/logo.png',
  ],
  ['SITE_COLOR is set, but SITE_URL is not.', { SITE_COLOR: 'red' }],
  [
    'PUBLIC_FEEDS must be a comma-separated list of: calendar, events, rental, signup, news, announcements, minutes, documents, guestbook.',
    'events,evnets',
    'events,forum',
  ],
  ...[
    'nonsense',
    'news=https://www.example.org/news',
    'news=https://www.example.org/{id},',
    'news=https://user:pass@www.example.org/{id}',
    'news=http://www.example.org/{id}',
    'news=https://{id}.example.org/',
    'news=javascript:alert({id})',
    'news=https://www.example.org/a b/{id}',
  ].map(
    (links) =>
      [
        `SITE_LINKS must be like news=https://www.example.org/news/{id}, not like ${links}.`,
        links,
      ] as const,
  ),
  [
    'SITE_LINKS names board, which is not a feed; the feeds are calendar, events, rental, signup, news, announcements, minutes, documents, guestbook, forum, training, presentations, quizzes.',
    'news=https://a.example/{id},board=https://a.example/{id}',
  ],
  [
    'SITE_LINKS has more than one URL for news.',
    'news=https://a.example/{id} news=https://b.example/{id}',
  ],
  [
    'PUBLIC_URL must be an http or https URL, like https://feeds.example.org or https://www.example.org/feeds.',
    'feeds.example.org',
    'ftp://feeds.example.org',
    'https://feeds.example.org/a/b',
    'https://feeds.example.org/A',
    'https://feeds.example.org/?a',
    'https://user@feeds.example.org',
  ],
  ['PUBLIC_URL must have at most 80 characters.', `https://${'a'.repeat(61)}.example.org`],
  [
    'EXPORT_PICTURES must be at most 10 file names, like 1200x825-2.bmp.',
    '800x480-2',
    '800x480-5.png',
    '../800x480-2.png',
    Array.from({ length: 11 }, (_, index) => `${index + 800}x480-2.png`).join(),
  ],
  ['EXPORT_LANGUAGES must be a comma-separated list of: en, es, fr, de.', 'it', 'es-PR', 'all'],
  [
    'WEBSUB_HUBS must be at most 5 https URLs, like https://pubsubhubbub.appspot.com/.',
    'http://a.example/',
    'hub',
    'https://u:p@a.example/',
    'https://a.example/#x',
    Array(6).fill('https://a.example/').join(' '),
  ],
  [
    'ID_HOST must be a host name, like www.example.org.',
    'https://a.example',
    'a.example:8443',
    'a.example/b',
    'u@a.example',
    'a_b.example',
    '[::1]',
  ],
  ['LOG_LEVEL must be one of: fatal, error, warn, info, debug, trace, silent.', 'loud'],
  [
    'SITE_URL must be an https URL without a path, like https://www.example.org.',
    'http://www.example.org',
    'https://www.example.org/apps/api',
  ],
  ['SITE_TIME_ZONE must be the name of a time zone, like America/New_York.', 'Eastern'],
  [
    "SITE_TIME_ZONE must be a regional time zone, like America/New_York: EST, MST and HST don't observe daylight saving time.",
    'EST',
  ],
  ['SITE_REFRESH_TOKEN must be only the token, without quotes.', '"token"', "'token'", '<token>'],
  ['SITE_TIME_ZONE is missing. It is required with SITE_URL.', ''],
  ['SITE_REFRESH_TOKEN is set, but SITE_URL is not.', { SITE_REFRESH_TOKEN: 'secret-token' }],
  ['SITE_REFRESH_TOKEN_FILE names a file that does not exist: /nowhere/token.', '/nowhere/token'],
]
test.for(cases)('reports: %s', ([fault, ...causes]) => {
  const [name = ''] = fault.split(' ')
  const environmentOf = (cause: string | Environment) =>
    typeof cause === 'string' ? { ...siteEnvironment, [name]: cause } : cause
  const accepted = causes.filter((cause) => !faultsOf(environmentOf(cause)).includes(fault))
  expect(accepted).toEqual([])
})

test('reports an unreadable or empty secret file only once', () => {
  const { SITE_REFRESH_TOKEN: _, ...rest } = siteEnvironment
  expect(faultsOf({ ...rest, SITE_REFRESH_TOKEN_FILE: '/nowhere/token' })).toHaveLength(1)
  expect(faultsOf({ ...rest, SITE_REFRESH_TOKEN_FILE: '/dev/null' })).toEqual([
    '/dev/null (SITE_REFRESH_TOKEN_FILE) is empty.',
  ])
  expect(faultsOf({ ADMIN_PASSWORD_FILE: '/dev/null' })).toEqual([
    '/dev/null (ADMIN_PASSWORD_FILE) is empty.',
  ])
})

test('rejects a short admin password if PUBLIC_URL uses https', () => {
  const https = { PUBLIC_URL: 'https://feeds.example.org' }
  expect(faultsOf({ ...https, ADMIN_PASSWORD: 'elevenchars' })).toEqual([
    'ADMIN_PASSWORD must have at least 12 characters when PUBLIC_URL is https.',
  ])
  expect(readConfig({ ...https, ADMIN_PASSWORD: 'twelve-chars' }).adminPassword).toBeDefined()
  expect(readConfig({ ADMIN_PASSWORD: 'short' }).adminPassword).toBe('short')
})

test('reports files with invalid content', () => {
  const file = join(testDirectory(), 'ca.pem')
  writeFileSync(file, 'not a certificate')
  expect(faultsOf({ ...siteEnvironment, PLACES: file })).toEqual([
    'PLACES must be the path of a JSON file with a list of at most 500 places.',
  ])
  expect(faultsOf({ ...siteEnvironment, SITE_CA_FILE: file })).toEqual([
    'SITE_CA_FILE must be the path of a PEM file with a certificate.',
  ])
})

test('reports all problems in a single error', () => {
  expect(faultsOf({ PORT: 'x', HOST: '::1', LOG_LEVEL: 'y', SITE_URL: 'z' })).toHaveLength(5)
})

test('never reveals a secret', () => {
  expect(faultsOf({ ...siteEnvironment, SITE_URL: 'x', PORT: 'y' }).join()).not.toContain('secret')
})
