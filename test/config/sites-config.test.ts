import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSitesConfig, readSiteConfig } from '../../src/config/sites-config.ts'
import { faultsFrom } from '../support/site-environment.ts'
import { ashton, environmentWith, milbrook } from '../support/sites-file.ts'

test('reads the settings for each site and for the process, and resolves paths relative to SITES_FILE', () => {
  const { environment, file } = environmentWith(
    { ashton, milbrook },
    { PORT: '0', LOG_LEVEL: 'warn' },
  )
  const { server, sites } = readSitesConfig(environment)
  expect(server).toMatchObject({ port: 0, logLevel: 'warn' })
  expect(sites.map(({ name }) => name)).toEqual(['ashton', 'milbrook'])
  expect(sites[0]?.config).toMatchObject({
    site: {
      url: ashton.SITE_URL,
      identity: { color: '#1f5fbf', logo: join(dirname(file), 'ashton.svg') },
      refreshToken: 'secret-of-ashton',
      timeZone: 'America/Chicago',
    },
    publicUrl: ashton.PUBLIC_URL,
    callsPerDay: 5000,
    publicFeeds: undefined,
  })
  expect(sites[1]?.config).toMatchObject({
    site: {
      refreshToken: 'secret-of-milbrook',
      refreshTokenFile: join(dirname(file), 'milbrook-token'),
      timeZone: 'America/New_York',
    },
    callsPerDay: 2000,
    publicFeeds: [],
  })
})

test('ignores a byte order mark at the start of the file', () => {
  const { environment } = environmentWith(`\uFEFF${JSON.stringify({ ashton })}`)
  expect(readSitesConfig(environment).sites).toHaveLength(1)
})

describe('a command', () => {
  test('uses the site that it names', () => {
    const { environment } = environmentWith({ ashton, milbrook }, { DATA_DIR: '/somewhere' })
    expect(readSiteConfig(environment, 'milbrook')).toMatchObject({
      site: { url: milbrook.SITE_URL },
      dataDirectory: '/somewhere',
    })
  })

  test('must name a site if there are several', () => {
    const { environment } = environmentWith({ ashton, milbrook })
    expect(faultsFrom(() => readSiteConfig(environment, undefined))).toEqual([
      'SITES_FILE has several sites. Choose one with --site: ashton, milbrook.',
    ])
    expect(faultsFrom(() => readSiteConfig(environment, 'cedar'))).toEqual([
      'Unknown site: cedar. SITES_FILE has: ashton, milbrook.',
    ])
  })

  test('must not name a site if SITES_FILE is not set', () => {
    expect(readSiteConfig({}, undefined).site).toBeUndefined()
    expect(faultsFrom(() => readSiteConfig({}, 'ashton'))).toEqual([
      '--site requires SITES_FILE, which is not set.',
    ])
  })
})

describe('reading the sites file', () => {
  const { SITE_URL: _, PUBLIC_URL: __, SITE_COLOR: ___, SITE_LOGO: ____, ...incomplete } = ashton
  test.for<[sites: object, ...faults: string[]]>([
    [
      { ashton: { ...ashton, SITE_TIMEZONE: 'x' } },
      'Unknown setting SITE_TIMEZONE; did you mean SITE_TIME_ZONE?',
    ],
    [{ ashton: { ...ashton, PORT: '80' } }, 'PORT is not a setting for a site.'],
    [
      { ashton: { ...ashton, CALLS_PER_DAY: [1] } },
      'CALLS_PER_DAY must be a string or a whole number.',
    ],
    [
      { ashton: { ...ashton, SITE_REFRESH_TOKEN: 2 ** 60 } },
      'SITE_REFRESH_TOKEN must be a string or a whole number.',
      'SITE_REFRESH_TOKEN is missing. It is required with SITE_URL.',
    ],
    [
      { ashton: incomplete },
      'SITE_REFRESH_TOKEN is set, but SITE_URL is not.',
      'SITE_TIME_ZONE is set, but SITE_URL is not.',
      'SITE_URL must be set.',
      'PUBLIC_URL must be set.',
    ],
    [
      { 'Ashton!': ashton },
      'The name must consist of a to z, 0 to 9 and hyphens, at most 40 characters.',
    ],
  ])('reports faults of %j', ([sites, ...faults]) => {
    const { environment } = environmentWith(sites)
    const [name] = Object.keys(sites)
    expect(faultsFrom(() => readSitesConfig(environment))).toEqual(
      faults.map((fault) => `Site ${name}: ${fault}`),
    )
  })

  test.for([
    [{ SITE_URL: 'https://WWW.ashton.example.' }, 'SITE_URL is already used by ashton.'],
    [
      { SITE_REFRESH_TOKEN: ashton.SITE_REFRESH_TOKEN },
      'SITE_REFRESH_TOKEN is already used by ashton, so both sites would share its API calls.',
    ],
    [
      { PUBLIC_URL: 'http://Feeds.example.org:80/ashton/' },
      'PUBLIC_URL is already used by ashton.',
    ],
    [
      { ID_HOST: 'www.Ashton.example' },
      'ID_HOST is already used by ashton: each site needs its own.',
    ],
    [
      { PUBLIC_URL: 'https://feeds.example.org' },
      'PUBLIC_URL is on a host that ashton already uses: give each site a path, like /ashton.',
    ],
    [{ CALLS_PER_DAY: 9000 }, 'CALLS_PER_DAY must be a whole number from 1 to 5000.'],
  ] as const)(
    'reports a fault in one site without affecting the others: %j',
    ([changes, fault]) => {
      const { SITE_REFRESH_TOKEN_FILE: ___, ...other } = milbrook
      const again = { ...other, SITE_REFRESH_TOKEN: 'of-its-own', ...changes }
      const { environment } = environmentWith({ ashton, again })
      const { sites, faulty } = readSitesConfig(environment)
      expect(sites.map(({ name }) => name)).toEqual(['ashton'])
      const faults = [`Site again: ${fault}`]
      expect(faulty).toMatchObject([{ name: 'again', faults }])
      expect(readSiteConfig(environment, 'ashton').site?.url).toBe(ashton.SITE_URL)
      expect(faultsFrom(() => readSiteConfig(environment, 'again'))).toEqual(faults)
    },
  )

  test('rejects duplicate site names, although JSON.parse would ignore them', () => {
    const twice = `{"a": ${JSON.stringify(ashton)}, "a": {"PUBLIC_URL": "x", "PUBLIC_URL": "y"}}`
    const { environment, file } = environmentWith(twice)
    expect(faultsFrom(() => readSitesConfig(environment))).toEqual([
      `SITES_FILE ${file} has duplicate names: a, PUBLIC_URL.`,
    ])
  })

  test('reads long texts, and names each duplicate once', () => {
    const long = { ...ashton, SITE_NAME: 'x\n'.repeat(5_000_000) }
    const text = `{"a": ${JSON.stringify(long)}, "a": {}, "a": {}}`
    const { environment, file } = environmentWith(text)
    expect(faultsFrom(() => readSitesConfig(environment))).toEqual([
      `SITES_FILE ${file} has duplicate names: a.`,
    ])
  })

  test('rejects settings for a site in the environment', () => {
    const misplaced = { PUBLIC_FEEDS: 'news', SITE_REFRESH_TOKEN_FILE: '/dev/null' }
    const { environment } = environmentWith({ ashton }, { ...misplaced, PORT: 'x' })
    expect(faultsFrom(() => readSitesConfig(environment))).toEqual([
      '/dev/null (SITE_REFRESH_TOKEN_FILE) is empty.',
      'PORT must be a whole number from 0 to 65535.',
      'PUBLIC_FEEDS cannot be set when SITES_FILE is set. Set it in that file, for each site.',
      'SITE_REFRESH_TOKEN_FILE cannot be set when SITES_FILE is set. Set it in that file, for each site.',
    ])
  })

  test.for(['[]', '{}', '"x"', 'null', JSON.stringify([ashton])])(
    'rejects %s as a list of sites',
    (text) => {
      const { environment, file } = environmentWith(text)
      expect(faultsFrom(() => readSitesConfig(environment))).toEqual([
        `SITES_FILE ${file} must be a JSON object of 1 to 2000 sites, with the settings of each under its name.`,
      ])
    },
  )

  test('reports the position of invalid JSON, but never its content', () => {
    const { environment, file } = environmentWith('{"a": {"SITE_REFRESH_TOKEN": "secret",}}')
    expect(faultsFrom(() => readSitesConfig(environment))).toEqual([
      `SITES_FILE ${file} is not valid JSON (line 1 column 39).`,
    ])
  })

  test('rejects a URL of the sites page that is at a site, or below one at a root', () => {
    for (const path of ['', '/all']) {
      const sitesUrl = { SITES_URL: `${milbrook.PUBLIC_URL}${path}` }
      const { environment } = environmentWith({ ashton, milbrook }, sitesUrl)
      expect(faultsFrom(() => readSitesConfig(environment))).toEqual([
        'SITES_URL is at the PUBLIC_URL of milbrook: choose another URL.',
      ])
    }
    const { environment } = environmentWith({ ashton }, { SITES_URL: 'https://feeds.example.org' })
    expect(readSitesConfig(environment).server.sitesUrl).toBe('https://feeds.example.org')
  })

  test('rejects a site at the URL of the county page', () => {
    const process = { SITES_URL: 'https://feeds.example.org' }
    const sites = { ashton: { ...ashton, PUBLIC_URL: 'https://feeds.example.org/county' } }
    const { environment } = environmentWith(sites, process)
    expect(readSitesConfig(environment).sites).toHaveLength(1)
    expect(
      faultsFrom(() => readSitesConfig({ ...environment, COUNTY_NAME: 'Cedar County' })),
    ).toEqual(['The county page is at the PUBLIC_URL of ashton: choose another SITES_URL.'])
  })

  test('lists only sites on the county page that ask for it', () => {
    const { environment } = environmentWith({
      ashton: { ...ashton, COUNTY_LISTING: 'yes' },
      milbrook,
    })
    const { sites } = readSitesConfig(environment)
    expect(sites.map(({ config }) => config.isInCounty)).toEqual([true, false])
  })

  test('rejects a missing file', () => {
    expect(faultsFrom(() => readSitesConfig({ SITES_FILE: '/nowhere/sites.json' }))).toEqual([
      'SITES_FILE names a file that cannot be read: /nowhere/sites.json.',
    ])
  })

  test('never reveals a secret', () => {
    const { environment } = environmentWith({ ashton: { ...ashton, SITE_TIME_ZONE: 'x' } })
    expect(faultsFrom(() => readSitesConfig(environment)).join()).not.toContain('secret')
  })
})

test('uses one mail server for all sites', () => {
  const mail = { ALERT_MAIL: 'chief@example.org' }
  const { environment } = environmentWith(
    { ashton: { ...ashton, ...mail }, milbrook },
    { SMTP_URL: 'smtps://smtp.example.org' },
  )
  const { sites } = readSitesConfig(environment)
  const servers = sites.map(({ config }) => config.notifications.alerts.mail?.server.host)
  expect(servers).toEqual(['smtp.example.org', undefined])
  const { faulty } = readSitesConfig(
    environmentWith({ ashton: { ...ashton, ...mail }, milbrook }).environment,
  )
  expect(faulty.flatMap(({ faults }) => faults)).toEqual([
    'Site ashton: ALERT_MAIL requires SMTP_URL, the mail server to use.',
  ])
})
