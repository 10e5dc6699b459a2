import { expect, test } from 'vitest'
import { channelKinds, channelTargetFrom } from '../../src/channels/channel-kinds.ts'
import { noticeWith } from './notice.ts'
import { sentMessage } from './sent-message.ts'

const notice = noticeWith({
  type: 'changes',
  title: '2 changes',
  lines: [
    {
      text: 'New: *Drill* <!channel> @everyone & more',
      url: 'https://a.example/events/1?a=1&b=(2)|3',
    },
    { text: 'Canceled: [Open_House](x)' },
  ],
  url: 'https://a.example/',
  data: { changes: [{ id: 1 }] },
})

const section = (text: string) => ({
  type: 'section',
  text: { type: 'mrkdwn', text, verbatim: true },
})

test.for([
  ['slack', 'https://hooks.slack.com/services/T0/B0/KEY'],
  ['discord', 'https://discord.com/api/webhooks/1/KEY'],
  ['discord', 'https://discordapp.com/api/webhooks/1/KEY'],
  ['googlechat', 'https://chat.googleapis.com/v1/spaces/SPACE/messages?key=KEY&token=TOKEN'],
  ['telegram', 'https://api.telegram.org/botTOKEN/sendMessage?chat_id=1'],
  ['groupme', 'https://api.groupme.com/v3/bots/post?bot_id=ID'],
  ['ntfy', 'https://ntfy.sh/TOPIC'],
  ['json', 'https://hooks.example.org/TOPIC'],
] as const)('recognizes a URL of %s without a prefix: %s', ([kind, url]) => {
  expect(channelTargetFrom(url)).toEqual({ ok: true, target: { kind, url } })
})

test('formats a message for Slack, without mentions', async () => {
  const title = 'Cedar Hollow, VFD: 2 changes'
  expect(await sentMessage('slack', notice)).toEqual({
    text: title,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: title, emoji: false } },
      section(
        '<https://a.example/events/1?a=1&amp;b=%282%29%7c3|New: `*Drill*` &lt;!channel&gt; `@everyone` &amp; more>\nCanceled: `[Open_House](x)`',
      ),
      section('<https://a.example/|Open Feedhouse>'),
    ],
  })
})

test('formats a message for Discord, without mentions', async () => {
  expect(await sentMessage('discord', notice)).toEqual({
    username: 'Feedhouse',
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: 'Cedar Hollow, VFD: 2 changes',
        url: 'https://a.example/',
        timestamp: '2026-03-05T15:00:00.000Z',
        description:
          '[New: \\*Drill\\* <!channel\\> `@everyone` & more](<https://a.example/events/1?a=1&b=%282%29%7c3>)\nCanceled: \\[Open\\_House\\]\\(x\\)',
      },
    ],
  })
})

test('formats a message for Teams as an adaptive card', async () => {
  expect(await sentMessage('teams', notice)).toMatchObject({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          type: 'AdaptiveCard',
          version: '1.2',
          body: [
            {
              type: 'TextBlock',
              text: 'Cedar Hollow, VFD: 2 changes',
              wrap: true,
              weight: 'Bolder',
            },
            {
              text: '[New: \\*Drill\\* <!channel> @everyone & more](https://a.example/events/1?a=1&b=%282%29%7c3)',
            },
            { text: 'Canceled: \\[Open\\_House\\]\\(x\\)' },
          ],
          actions: [{ type: 'Action.OpenUrl', url: 'https://a.example/' }],
        },
      },
    ],
  })
})

test('formats a message for programs', async () => {
  expect(await sentMessage('json', notice)).toEqual({
    type: 'changes',
    timestamp: '2026-03-05T15:00:00.000Z',
    data: {
      site: 'Cedar Hollow, VFD',
      title: '2 changes',
      text: notice.lines.map(({ text }) => text),
      url: 'https://a.example/',
      changes: [{ id: 1 }],
    },
  })
})

test.for([
  ['es-US', ': 2 changes', 'Y 1 más.', 'Abrir Feedhouse'],
  ['fr-CA', '\u202F: 2 changes', 'Et 1 autre.', 'Ouvrir Feedhouse'],
  ['de-DE', ': 2 changes', 'Und 1 weiterer Eintrag.', 'Feedhouse öffnen'],
] as const)(
  'writes its own words in the language of the site: %s',
  async ([language, title, more, open]) => {
    const lines = Array.from({ length: 26 }, () => ({ text: 'New: Drill' }))
    const translated = { ...notice, language, lines }
    const kinds = ['slack', 'discord', 'teams', 'json']
    const messages = await Promise.all(kinds.map((kind) => sentMessage(kind, translated)))
    const texts = messages.map((message) => JSON.stringify(message).replaceAll('\\', ''))
    expect(texts.map((text) => text.includes(`VFD${title}`))).toEqual([true, true, true, false])
    expect(texts.map((text) => text.includes(more))).toEqual([true, true, true, true])
    expect(texts.map((text) => text.includes(open))).toEqual([true, false, true, false])
  },
)

test.for([
  ['# Drill', { mattermost: '\\# Drill', teams: '\\# Drill', discord: '\\# Drill' }],
  [
    '> Drill',
    { mattermost: '\\> Drill', teams: '\\> Drill', slack: '› Drill', googlechat: '› Drill' },
  ],
  ['- Drill', { mattermost: '\\- Drill', teams: '\\- Drill', googlechat: '– Drill' }],
  ['+ Drill', { mattermost: '\\+ Drill', teams: '\\+ Drill' }],
  ['* Drill', { mattermost: '\\* Drill', discord: '\\* Drill', googlechat: '`*` Drill' }],
  ['===', { mattermost: '`===`' }],
  ['1. Drill', { mattermost: '1\\. Drill', teams: '1\\. Drill' }],
  ['2) Drill', { mattermost: '2\\) Drill', teams: '2\\) Drill' }],
  ['    Drill', { slack: 'Drill', ntfy: 'Drill' }],
  ['2 changes - 1 > 0', { teams: '2 changes - 1 > 0', slack: '2 changes - 1 &gt; 0' }],
] as const)('sends the line %s without formatting it', async ([text, sent]) => {
  const message = { ...notice, lines: [{ text }] }
  for (const [kind, line] of Object.entries(sent)) {
    expect(textsIn(await sentMessage(kind, message))).toMatch(lineOf(line))
  }
})

/** Returns all texts in a message, with one of their lines in each line. */
function textsIn(message: object): string {
  return Object.values(message)
    .map((value) => (typeof value === 'object' && value !== null ? textsIn(value) : String(value)))
    .join('\n')
}

function lineOf(text: string): RegExp {
  return new RegExp(`^${RegExp.escape(text)}$`, 'm')
}

const markup: Readonly<Record<string, (name: string) => string>> = {
  discord: (name) => `\`${name}\``,
  googlechat: (name) => `\`${name}\``,
  matrix: (name) => `<code>${name}</code>`,
  mattermost: (name) => `\`${name}\``,
  slack: (name) => `\`${name}\``,
  teams: (name) => name.replaceAll('_', '\\_'),
  telegram: (name) => `<code>${name}</code>`,
}

test.for(channelKinds.map(({ name }) => name))(
  'sends names to copy without invisible characters to %s',
  async (kind) => {
    const codeOf = markup[kind] ?? ((name: string) => name)
    const lines = [
      { text: 'Set SITE_TIME_ZONE: America/New_York, not US/Eastern, then SITE_URL.' },
      { text: 'Not_A_SETTING, AND/OR Rehab/Training' },
      { text: '@all @fire.chief, web_team@example.org' },
      { text: '1. *A* _b_ <users/all> - > # + =' },
    ]
    const sent = textsIn(await sentMessage(kind, noticeWith({ lines })))
    expect(sent).not.toMatch(/[\p{Cf}\u00A0]/u)
    const [zone, other] = [codeOf('America/New_York'), codeOf('US/Eastern')]
    expect(sent).toContain(
      `Set ${codeOf('SITE_TIME_ZONE')}: ${zone}, not ${other}, then ${codeOf('SITE_URL')}.`,
    )
    expect(sent).toContain('AND/OR Rehab/Training')
  },
)

test('prevents formatting in titles and lines for Slack and Discord', async () => {
  const message = { ...notice, title: '_2_ **changes** `now`', lines: [{ text: '_Drill_' }] }
  expect(JSON.stringify(await sentMessage('slack', message))).toContain('"`_Drill_`"')
  expect(await sentMessage('discord', message)).toMatchObject({
    embeds: [{ title: 'Cedar Hollow, VFD: \\_2\\_ \\*\\*changes\\*\\* \\`now\\`' }],
  })
})

test('stays within the limits of each service', async () => {
  const long = {
    ...notice,
    title: '🚒'.repeat(400),
    lines: Array.from({ length: 500 }, () => ({
      text: '*_&<'.repeat(400),
      url: `https://a.example/${'a'.repeat(200)}`,
    })),
  }
  const slack = (await sentMessage('slack', long)) as {
    blocks: readonly { text: { text: string } }[]
  }
  const [header, ...sections] = slack.blocks.map((block) => block.text.text.length)
  expect(header).toBeLessThanOrEqual(150)
  for (const length of sections) expect(length).toBeLessThanOrEqual(3_000)
  const { embeds } = (await sentMessage('discord', long)) as {
    embeds: readonly { title: string; description: string }[]
  }
  expect(embeds[0]?.title.length).toBeLessThanOrEqual(256)
  expect(embeds[0]?.description.length).toBeLessThanOrEqual(4_096)
  expect(Buffer.byteLength(JSON.stringify(await sentMessage('teams', long)))).toBeLessThan(20_000)
  expect(Buffer.byteLength(JSON.stringify(await sentMessage('json', long)))).toBeLessThan(20_000)
  expect(JSON.stringify(await sentMessage('json', long))).toContain('And 475 more.')
})
