import { describe, expect, test } from 'vitest'
import { channelKinds } from '../../src/channels/channel-kinds.ts'
import { readConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { faultsOf, siteEnvironment } from '../support/site-environment.ts'

const smtp = { SMTP_URL: 'smtps://feedhouse%40example.org:p%3Aass@smtp.example.org' }

const read = (environment: Environment) =>
  readConfig({ ...siteEnvironment, ...environment }).notifications

test('reads receivers, quiet hours and the day of the summary', () => {
  const { alerts, changeWebhooks, webhookSecret } = read({
    ...smtp,
    ALERT_MAIL: 'chief@example.org, web@example.org',
    ALERT_WEBHOOK: 'https://hooks.slack.com/services/T/B/x',
    ALERT_QUIET_HOURS: '22-6:30',
    ALERT_SUMMARY: 'monday',
    CHANGE_WEBHOOKS:
      'https://discord.com/api/webhooks/1/x teams=https://flow.example/x http://localhost:5678/x json=https://hooks.slack.com/x',
    WEBHOOK_SECRET: 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=',
  })
  expect(alerts).toEqual({
    mail: {
      server: {
        host: 'smtp.example.org',
        port: 465,
        secure: true,
        isLocal: false,
        auth: { user: 'feedhouse@example.org', pass: 'p:ass' },
      },
      to: ['chief@example.org', 'web@example.org'],
      from: 'feedhouse@example.org',
    },
    webhooks: [{ kind: 'slack', url: 'https://hooks.slack.com/services/T/B/x' }],
    quietHours: { from: 22 * 60, until: 6 * 60 + 30 },
    summaryDay: 1,
  })
  expect(changeWebhooks.map(({ kind }) => kind)).toEqual(['discord', 'teams', 'json', 'json'])
  expect(webhookSecret).toBe('whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=')
})

test('accepts as many receivers as the limit', () => {
  const addresses = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.org`)
  const urls = addresses.map((_, index) => `https://hooks.example/${index}`)
  const environment = { ...smtp, ALERT_MAIL: addresses.join(','), ALERT_WEBHOOK: urls.join(' ') }
  const { mail, webhooks } = read(environment).alerts
  expect(mail?.to).toEqual(addresses)
  expect(webhooks).toHaveLength(5)
})

test.for([
  [{ SMTP_URL: 'smtp://user:pass@smtp.example.org' }, 'chief@example.org', 587],
  [{ SMTP_URL: 'smtp://127.0.0.1:2525' }, 'chief@example.org', 2525],
  [{ ...smtp, ALERT_MAIL_FROM: 'a@example.org' }, 'a@example.org', 465],
] as const)('chooses a sender and a port for %o', ([environment, from, port]) => {
  const { mail } = read({ ...environment, ALERT_MAIL: 'chief@example.org' }).alerts
  expect(mail).toMatchObject({ from, server: { port } })
})

test.for([
  ['https://hooks.slack.com/services/T/B/x', 'slack'],
  ['https://discord.com/api/webhooks/1/x', 'discord'],
  ['https://discordapp.com/api/webhooks/1/x', 'discord'],
  ['https://example.webhook.office.com/x', 'json'],
])('sends to %s as %s', ([url = '', kind]) => {
  const { changeWebhooks } = read({ CHANGE_WEBHOOKS: url })
  expect(changeWebhooks).toEqual([{ kind, url }])
})

test.for(channelKinds)('accepts the documented URL of $label', ({ name, example, hosts }) => {
  const target = { kind: name, url: new URL(example).href }
  const unprefixed = hosts ? [example] : []
  for (const text of [`${name}=${example}`, ...unprefixed]) {
    expect(read({ CHANGE_WEBHOOKS: text }).changeWebhooks).toEqual([target])
  }
})

test('sends the summary on any day of the week', () => {
  const names = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
  const mail = { ...smtp, ALERT_MAIL: 'chief@example.org' }
  const days = names.map((name) => read({ ...mail, ALERT_SUMMARY: name }).alerts.summaryDay)
  expect(days).toEqual([1, 2, 3, 4, 5, 6, 7])
})

const programFault = (fault: string) =>
  `has a Webhook URL that ${fault}. Write it like json=https://n8n.example.org/webhook/feedhouse.`
const smtpFault =
  'SMTP_URL must be the URL of a mail server, like smtps://user:password@smtp.example.org.'

test.for([
  [
    'googlechat=https://chat.googleapis.com/?key=SECRET',
    'has no path like /v1/spaces/SPACE/messages',
  ],
  ['https://chat.googleapis.com/v1/spaces/A/messages?key=SECRET', 'lacks its key or token'],
  ['mattermost=https://chat.example/SECRET', 'does not end with /hooks/ and a key'],
  ['matrix=https://chat.example/!SECRET:a.example', 'has no access token before the @'],
  ['matrix=https://SECRET@chat.example/room', 'does not end with an internal room ID'],
  ['telegram=https://api.telegram.org/SECRET', 'has no path like /botTOKEN/sendMessage'],
  ['https://api.telegram.org/botSECRET/sendMessage', 'has no chat_id'],
  ['groupme=https://api.groupme.com/v3/bots/post?id=SECRET', 'has no bot_id'],
  ['ntfy=https://ntfy.sh/SECRET/more', 'does not end with a topic'],
  ['mastodon=https://chat.example/', 'has no access token before the @'],
  ['mastodon=https://SECRET@chat.example/@fire', 'contains a path'],
  ['bluesky=https://SECRET@bsky.social', 'has no handle and app password before the @'],
  ['bluesky=https://a.bsky.social:SECRET@bsky.social/profile', 'contains a path'],
  ['ntfy=https://user:%ff@ntfy.sh/SECRET', 'is not valid'],
] as const)('explains why %s is wrong', ([text, fault]) => {
  const [found = '', ...others] = faultsOf({ ...siteEnvironment, CHANGE_WEBHOOKS: text })
  expect(others).toEqual([])
  expect(found).not.toContain('SECRET')
  expect(found).toMatch(/^CHANGE_WEBHOOKS has a [\w ]+ URL that /)
  expect(found).toContain(`URL that ${fault}. Write it like `)
})

test.for(['mastodon', 'bluesky'])('rejects the public service %s for problems', (kind) => {
  const { name, example } = channelKinds.find((each) => each.name === kind) ?? {}
  expect(faultsOf({ ...siteEnvironment, ALERT_WEBHOOK: `${name}=${example}` })).toEqual([
    'ALERT_WEBHOOK must not post problems to a public service like Mastodon or Bluesky.',
  ])
})

describe('reports faults without quoting secrets', () => {
  test.for([
    ...[
      ['http://hooks.example.org/SECRET', programFault('is not https')] as const,
      ['https://user:SECRET@a.example/', programFault('contains a user name or password')] as const,
      ['https://hooks.example.org/SECRET#a', programFault('contains #')] as const,
      ['SECRET', programFault('is not valid')] as const,
      [
        'slack=http://hooks.slack.com/SECRET',
        'has a Slack URL that is not https. Write it like slack=https://hooks.slack.com/services/T0/B0/KEY.',
      ] as const,
      [
        'carrierpigeon=https://hooks.example.org/SECRET',
        `has an unknown prefix. Known prefixes are ${channelKinds.map(({ name }) => `${name}=`).join(' ')}.`,
      ] as const,
      [
        Array.from({ length: 6 }, (_, index) => `https://hooks.example.org/${index}`).join(' '),
        'must be at most 5 URLs, separated by spaces.',
      ] as const,
    ].flatMap(([url, fault]) => [
      [{ ALERT_WEBHOOK: url }, `ALERT_WEBHOOK ${fault}`] as const,
      [{ CHANGE_WEBHOOKS: url }, `CHANGE_WEBHOOKS ${fault}`] as const,
    ]),
    ...[
      'smtp.example.org',
      'https://smtp.example.org',
      'smtp://user@smtp.example.org',
      'smtp://user:%ff@smtp.example.org',
      'smtp://smtp.example.org/path',
      'smtp://smtp.example.org/?tls=off',
    ].map((url) => [{ SMTP_URL: url }, smtpFault] as const),
    [
      { ...smtp, ALERT_MAIL: 'chief' },
      'ALERT_MAIL must be at most 5 email addresses, like chief@example.org, separated by commas.',
    ],
    [{ ALERT_MAIL: 'chief@example.org' }, 'ALERT_MAIL requires SMTP_URL, the mail server to use.'],
    [{ ALERT_MAIL_FROM: 'chief@example.org' }, 'ALERT_MAIL_FROM is set, but ALERT_MAIL is not.'],
    [
      { ALERT_QUIET_HOURS: '22-6' },
      'ALERT_QUIET_HOURS is set, but neither ALERT_MAIL nor ALERT_WEBHOOK is.',
    ],
    ...['22', '22-22', '24-6', '22:60-6', 'night'].map(
      (hours) =>
        [
          { ALERT_WEBHOOK: 'https://a.example/', ALERT_QUIET_HOURS: hours },
          'ALERT_QUIET_HOURS must be two different times, like 22:00-06:30.',
        ] as const,
    ),
    [
      { ALERT_WEBHOOK: 'https://a.example/', ALERT_SUMMARY: 'daily' },
      'ALERT_SUMMARY must be a day of the week, like Monday.',
    ],
    [
      { CHANGE_WEBHOOKS: 'https://a.example/', WEBHOOK_SECRET: 'SECRET' },
      'WEBHOOK_SECRET must have at least 24 characters.',
    ],
    [
      { WEBHOOK_SECRET: 'x'.repeat(24) },
      'WEBHOOK_SECRET is set, but neither ALERT_WEBHOOK nor CHANGE_WEBHOOKS is.',
    ],
    [
      {
        PUBLIC_URL: 'https://feeds.example.org',
        CHANGE_WEBHOOKS: 'https://feeds.example.org/admin',
      },
      'CHANGE_WEBHOOKS must not point to Feedhouse itself.',
    ],
  ] as const)('%o', ([environment, fault]) => {
    expect(faultsOf({ ...siteEnvironment, ...environment })).toEqual([fault])
  })
})
