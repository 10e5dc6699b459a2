import { expect, test } from 'vitest'
import { settingNames } from '../../src/config/settings.ts'
import { misspelledIn } from '../../src/config/misspelled-settings.ts'

test.for([
  { name: 'SITE_TIMEZONE', meant: 'SITE_TIME_ZONE' },
  { name: 'SITE_TIME_ZOEN', meant: 'SITE_TIME_ZONE' },
  { name: 'public_feeds', meant: 'PUBLIC_FEEDS' },
  { name: 'SITE_REFRESHTOKEN_FILE', meant: 'SITE_REFRESH_TOKEN_FILE' },
  { name: 'CALL_PER_DAY', meant: 'CALLS_PER_DAY' },
  { name: 'DATADIR', meant: 'DATA_DIR' },
])('suggests $meant for $name, both in the .env file and in the environment', ({ name, meant }) => {
  const sentences = [`Unknown setting ${name}; did you mean ${meant}?`]
  expect(misspelledIn('file', [name], settingNames)).toEqual(sentences)
  expect(misspelledIn('environment', [name], settingNames)).toEqual(sentences)
})

test('lists settings that share a prefix only for the .env file', () => {
  const [sentence = ''] = misspelledIn('file', ['CALLS_AN_HOUR'], settingNames)
  expect(sentence).toBe(
    'Unknown setting CALLS_AN_HOUR; did you mean CALLS_PER_MINUTE or CALLS_PER_DAY?',
  )
  expect(misspelledIn('environment', ['CALLS_AN_HOUR'], settingNames)).toEqual([])
})

test.for(['SITE_', 'CALLS_', 'PUBLIC_', 'FRESH_', 'WEBSUB_'])(
  'any other name that starts with %s in the .env file is reported',
  (prefix) => {
    const meant = settingNames.filter((name) => name.startsWith(prefix))
    expect(meant).not.toEqual([])
    expect(misspelledIn('file', [`${prefix}QQQQQQQQQQ`], settingNames)).toEqual([
      `Unknown setting ${prefix}QQQQQQQQQQ; did you mean ${meant.join(' or ')}?`,
    ])
  },
)

const ofOthers = `
  HOME HOSTNAME PATH PWD TZ LANG USER SHELL TERM SORT POST HOSTS NODE_ENV NODE_OPTIONS
  NODE_EXTRA_CA_CERTS npm_config_cache XPORT REDIS_PASSWORD REDIS_HOST LOG_DRIVER LOGNAME
  DATABASE_URL DATA_HOME COMPOSE_PROJECT_NAME DOCKER_HOST JOURNAL_STREAM XDG_DATA_DIRS
  INVOCATION_ID ADMIN_USER SSH_AUTH_SOCK DBUS_SESSION_BUS_ADDRESS TRUST_STORE MAILTO`

test.for(ofOthers.trim().split(/\s+/))('ignores %s', (name) => {
  expect(misspelledIn('file', [name], settingNames)).toEqual([])
  expect(misspelledIn('environment', [name], settingNames)).toEqual([])
})

test('does not report any correct setting as misspelled', () => {
  expect(misspelledIn('file', settingNames, settingNames)).toEqual([])
  expect(misspelledIn('environment', settingNames, settingNames)).toEqual([])
})
