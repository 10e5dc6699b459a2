import { expect, test } from 'vitest'
import { channelTargetFrom } from '../../src/channels/channel-kinds.ts'
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
        '<https://a.example/events/1?a=1&amp;b=%282%29%7c3|New: *\u200BDrill*\u200B &lt;!channel&gt; @everyone &amp; more>\nCanceled: [Open_\u200BHouse](x)',
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
          '[New: \\*Drill\\* <!channel\\> @everyone & more](<https://a.example/events/1?a=1&b=%282%29%7c3>)\nCanceled: \\[Open\\_House\\]\\(x\\)',
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
  ['# Drill', '\u200B# Drill'],
  ['> Drill', '\u200B> Drill'],
  ['- Drill', '\u200B- Drill'],
  ['+ Drill', '\u200B+ Drill'],
  ['===', '\u200B==='],
  ['1. Drill', '\u200B1. Drill'],
  ['2) Drill', '\u200B2) Drill'],
  ['    Drill', 'Drill'],
  ['2 changes - 1 > 0', '2 changes - 1 > 0'],
] as const)('sends the line %s without formatting it', async ([text, sent]) => {
  const message = { ...notice, lines: [{ text }] }
  expect(await sentMessage('ntfy', message)).toMatchObject({ message: sent })
})

test('prevents formatting in titles and lines for Slack and Discord', async () => {
  const message = { ...notice, title: '_2_ **changes** `now`', lines: [{ text: '_Drill_' }] }
  expect(JSON.stringify(await sentMessage('slack', message))).toContain('"_\u200BDrill_\u200B"')
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
