import { expect, test } from 'vitest'
import { createWebhookChannel } from '../../../src/delivery/notifications/webhook.ts'
import { channelKinds } from '../../../src/channels/channel-kinds.ts'
import { noticeWith } from '../../channels/notice.ts'
import {
  blueskyLinksIn,
  chatServices,
  serviceNow,
  startChatService,
} from '../../support/chat-services.ts'
import { startHttpServer } from '../../support/http-server.ts'

/* Sends messages to servers that check requests as the services do. */

const kinds = Object.keys(chatServices)
const { signal } = new AbortController()

const channelTo = (url: string, kind: string) =>
  createWebhookChannel({
    purpose: 'change',
    target: { kind, url },
    secret: undefined,
    now: () => serviceNow,
  })

const pageUrl = 'https://feeds.example.org/'

const changes = noticeWith({
  id: 'changes-1',
  type: 'changes',
  title: '2 changes',
  lines: [
    {
      text: 'New: Drill, Tue, Mar 3, 7 PM 🚒',
      url: 'https://feeds.example.org/events/1?a=1&b=(2)',
    },
    { text: 'Canceled: Open house' },
  ],
  url: pageUrl,
})

test('covers every chat service, here or in the format tests', () => {
  const others = ['slack', 'discord', 'teams', 'json']
  expect(channelKinds.map(({ name }) => name).toSorted()).toEqual([...others, ...kinds].toSorted())
})

test.for(kinds)('posts changes with links to %s', async (kind) => {
  const { url, posts, service } = await startChatService(kind)
  expect(await channelTo(url, kind).send(changes, signal)).toEqual({ ok: true })
  expect(posts).toHaveLength(1)
  const [post] = posts
  if (!post) return
  const shown = service.shown(post)
  expect(shown.split('\n')[0]).toBe('Cedar Hollow, VFD: 2 changes')
  expect(shown).toContain('New: Drill, Tue, Mar 3, 7 PM 🚒')
  expect(shown).toContain('Canceled: Open house')
  expect(JSON.stringify(post.json)).toContain(pageUrl)
  if (kind === 'ntfy') return
  expect(post.body).toMatch(/feeds\.example\.org\/events\/1\?a=1&(?:amp;)?b=%282%29/)
  expect(shown).toContain('Open Feedhouse')
})

const hostile = noticeWith({
  id: 'changes-2',
  type: 'changes',
  siteName: 'VFD @everyone',
  title: '1 change @channel',
  lines: [
    {
      text: '\u0007@all @here\u0000 <!channel> <users/all> </b><a href="javascript:x">*_~`[x](y)\n# > - |\uD800',
      url: 'https://feeds.example.org/"><b>',
    },
    { text: 'A &amp;lt; B' },
    { text: '\u202Ereversed\u2066 \u0001https://e.example/ مرحبا chief@example.org' },
  ],
  url: pageUrl,
})

test.for(kinds)('posts hostile text to %s without mentions or formatting', async (kind) => {
  const { url, posts, service } = await startChatService(kind)
  expect(await channelTo(url, kind).send(hostile, signal)).toEqual({ ok: true })
  const shown = posts[0] ? service.shown(posts[0]) : ''
  expect(posts[0]?.body).not.toMatch(/\p{Cf}/u)
  expect(shown).toMatch(/[@＠]all [@＠]here/)
  expect(shown).toMatch(/[<‹]\/b[>›][<‹]a href="javascript:x"[>›]\*_~[`']\[x\]\(y\)/)
  expect(shown).toContain('\nA &amp;lt; B\n')
  expect(shown).toContain('reversed')
  expect(shown).toContain('مرحبا chief@example.org')
})

const family = '👩‍👩‍👧‍👦'

test.for(
  kinds.flatMap((kind) => [
    { kind, filler: 'x'.repeat(80) },
    { kind, filler: family.repeat(40) },
    { kind, filler: '&<"\\ 漢字 '.repeat(60) },
    { kind, filler: 'http://a.b '.repeat(4) },
    { kind, filler: 'x'.repeat(45), hasLinks: false },
  ]),
)(
  'cuts a message that is too long for $kind at the end of a line: $filler',
  async ({ kind, filler, hasLinks = true }) => {
    const { url, posts, service } = await startChatService(kind)
    const lines = Array.from({ length: 60 }, (_, index) => ({
      text: `Line ${index + 1} ${filler}`,
      url: hasLinks ? `https://feeds.example.org/${'a'.repeat(300)}` : undefined,
    }))
    const title = `${family}${filler}`
    expect(await channelTo(url, kind).send({ ...changes, title, lines }, signal)).toEqual({
      ok: true,
    })
    const shown = posts[0] ? service.shown(posts[0]).replaceAll('‹', '<') : ''
    expect(shown).toContain('Line 1 ')
    expect(shown).toMatch(/^(?:…|And \d+ more\.)$/m)
    expect(posts[0]?.body).toContain(pageUrl)
    // Each line is complete, or ends with an ellipsis because the line itself is too long.
    for (const line of shown.split('\n').filter((text) => text.startsWith('Line '))) {
      const [text = ''] = line.split(/ https:\/\/feeds/)
      expect(text.endsWith('…') || text.endsWith(filler.trimEnd()) || text.endsWith(filler)).toBe(
        true,
      )
    }
  },
)

test.for([
  ['telegram', 'text'],
  ['matrix', 'formatted_body'],
] as const)('starts a message to %s with a bold title', async ([kind, field]) => {
  const { url, posts } = await startChatService(kind)
  await channelTo(url, kind).send({ ...changes, siteName: '<VFD>' }, signal)
  expect(posts[0]?.json[field]).toMatch(/^<b>&lt;VFD&gt;: 2 changes<\/b>/)
})

test('counts neither tags nor URLs in a message to Telegram', async () => {
  const { url, posts, service } = await startChatService('telegram')
  const lines = Array.from({ length: 25 }, () => ({
    text: '& '.repeat(70),
    url: `https://feeds.example.org/${'a'.repeat(300)}`,
  }))
  await channelTo(url, 'telegram').send({ ...changes, lines }, signal)
  expect(
    posts
      .map(service.shown)
      .join('')
      .match(/(?:& )+/g),
  ).toHaveLength(25)
})

const statuses = [
  { status: 500, reason: 'status 500' },
  { status: 401, reason: 'status 401, the key was rejected' },
  { status: 307, reason: 'status 307, a redirect' },
]

test.for(kinds.flatMap((kind) => statuses.map((each) => ({ kind, ...each }))))(
  'retries a message to $kind after status $status',
  async ({ kind, status, reason }) => {
    const { url, posts, signIns, answers } = await startChatService(kind)
    answers.push({ status, headers: { location: 'http://127.0.0.1:1/' } })
    const failed = { ok: false, reason, isPermanent: false }
    expect(await channelTo(url, kind).send(changes, signal)).toEqual(failed)
    expect(posts.length + signIns.length).toBe(1)
  },
)

test.for(kinds)('drops a message that %s rejects', async (kind) => {
  const { url, answers } = await startChatService(kind)
  answers.push({ status: 422, body: '{}' })
  expect(await channelTo(url, kind).send(changes, signal)).toMatchObject({ isPermanent: true })
})

test.for(kinds)('waits as long as %s asks', async (kind) => {
  const { url, answers, service } = await startChatService(kind)
  const { headers, body = {} } = service.limited ?? {}
  answers.push({ status: 429, headers, body: JSON.stringify(body) })
  expect(await channelTo(url, kind).send(changes, signal)).toMatchObject({
    reason: 'status 429',
    retryAfterMs: 60_000,
    isPermanent: false,
  })
})

const tomorrow = 86_400_000

test.for([
  ['telegram', { status: 429, body: '{"parameters":{"retry_after":9e9}}' }, tomorrow],
  ['matrix', { status: 429, body: '{"retry_after_ms":1500}' }, 2_000],
  ['matrix', { status: 429, body: '{"retry_after_ms":9e15}' }, tomorrow],
  ['matrix', { status: 429, body: 'busy' }, undefined],
  ['bluesky', { status: 429, headers: { 'ratelimit-reset': '9999999999' } }, tomorrow],
  ['bluesky', { status: 429, headers: { 'ratelimit-reset': 'soon' } }, undefined],
  // Mastodon adds its limits to all responses.
  ['mastodon', { status: 500, headers: { 'x-ratelimit-reset': '2026-03-05T15:05Z' } }, undefined],
] as const)('waits at most a day if %s responds with %o', async ([kind, answer, retryAfterMs]) => {
  const { url, answers } = await startChatService(kind)
  answers.push(answer)
  const sent = await channelTo(url, kind).send(changes, signal)
  const reason = `status ${answer.status}`
  expect(sent).toEqual({ ok: false, reason, isPermanent: false, retryAfterMs })
})

test.for(kinds)('gives up if %s does not respond, without naming its key', async (kind) => {
  const origin = await startHttpServer(() => {})
  const channel = channelTo(chatServices[kind]?.url(origin) ?? '', kind)
  const result = await channel.send(changes, AbortSignal.timeout(20))
  expect(result).toEqual({ ok: false, reason: 'the host does not respond', isPermanent: false })
  expect(JSON.stringify([channel.id, channel.label, channel.receiver, result])).not.toContain(
    'SECRET',
  )
})

test.for([
  ['matrix', ({ path }) => path],
  ['googlechat', ({ path }) => path],
  ['mastodon', ({ headers }) => headers['idempotency-key']],
  ['bluesky', ({ json }) => json['rkey']],
  ['ntfy', ({ json }) => json['sequence_id']],
] satisfies [
  string,
  (post: { path: string; headers: NodeJS.Dict<unknown>; json: NodeJS.Dict<unknown> }) => unknown,
][])('repeats a message to %s with the same idempotency key', async ([kind, keyOf]) => {
  const { url, posts } = await startChatService(kind)
  for (const { id, at } of [
    changes,
    { id: 'changes-1', at: serviceNow + 1 },
    { id: 'changes-3', at: serviceNow },
  ]) {
    await channelTo(url, kind).send({ ...changes, id, at }, signal)
  }
  const [first, repeated, other] = posts.map((post) => keyOf(post))
  expect(repeated).toBe(first)
  expect(other).not.toBe(first)
})

test('writes in the language of the site', async () => {
  const [mastodon, bluesky] = [
    await startChatService('mastodon'),
    await startChatService('bluesky'),
  ]
  const spanish = { ...changes, language: 'es-US' }
  await channelTo(mastodon.url, 'mastodon').send(spanish, signal)
  await channelTo(bluesky.url, 'bluesky').send(spanish, signal)
  expect(mastodon.posts[0]?.json).toMatchObject({ language: 'es' })
  expect(mastodon.posts[0]?.body).toContain('Abrir Feedhouse')
  expect(bluesky.posts[0]?.json['record']).toMatchObject({ langs: ['es-US'] })
})

test('links text on Bluesky by its UTF-8 bytes', async () => {
  const { url, posts } = await startChatService('bluesky')
  const siteName = `Pompiers ${family} — Été`
  await channelTo(url, 'bluesky').send({ ...changes, siteName }, signal)
  expect(posts.flatMap(blueskyLinksIn)).toEqual([
    ['New: Drill, Tue, Mar 3, 7 PM 🚒', 'https://feeds.example.org/events/1?a=1&b=%282%29'],
    ['Open Feedhouse', pageUrl],
  ])
})

test('keeps a session with Bluesky, and renews it when it has expired', async () => {
  const { url, posts, signIns, answers } = await startChatService('bluesky')
  const channel = channelTo(url, 'bluesky')
  expect(await channel.send(changes, signal)).toEqual({ ok: true })
  expect(await channel.send(changes, signal)).toEqual({ ok: true })
  expect([signIns.length, posts.length]).toEqual([1, 2])
  answers.push({ status: 400, body: '{"error":"ExpiredToken","message":"Token has expired"}' })
  expect(await channel.send(changes, signal)).toEqual({ ok: true })
  expect([signIns.length, posts.length]).toEqual([2, 4])
})

test('reports that Bluesky rejects the password', async () => {
  const { url, posts } = await startChatService('bluesky')
  const wrong = url.replace('SECRET', 'WRONG')
  expect(await channelTo(wrong, 'bluesky').send(changes, signal)).toEqual({
    ok: false,
    reason: 'status 401, the key was rejected',
    isPermanent: false,
  })
  expect(posts).toEqual([])
})

test('sends nothing if Bluesky confirms the password without a session', async () => {
  const { url, posts, answers } = await startChatService('bluesky')
  answers.push({ status: 200, body: '{}' })
  const reason = 'the service did not deliver the message'
  expect(await channelTo(url, 'bluesky').send(changes, signal)).toMatchObject({ ok: false, reason })
  expect(posts).toEqual([])
})

test('treats a message that is already on Bluesky as delivered', async () => {
  const { url, posts, answers } = await startChatService('bluesky')
  answers.push({ status: 200, body: '{"accessJwt":"jwt-1","did":"did:plc:fire"}' })
  answers.push({ status: 400, body: '{"error":"InvalidSwap","message":"Record was at bafy"}' })
  expect(await channelTo(url, 'bluesky').send(changes, signal)).toEqual({ ok: true })
  expect(posts[0]?.json).toMatchObject({ swapRecord: null })
})

test.for([
  ['https://ntfy.sh/news', undefined],
  ['user:p%40ss', `Basic ${Buffer.from('user:p@ss').toString('base64')}`],
  ['tk_1', 'Bearer tk_1'],
  [':tk_2', 'Bearer tk_2'],
] as const)('signs in to ntfy with %s', async ([user, authorization]) => {
  const seen: (string | undefined)[] = []
  const origin = await startHttpServer(({ headers }, response) => {
    seen.push(headers.authorization)
    response.end('{}')
  })
  const from = authorization === undefined ? origin : origin.replace('//', `//${user}@`)
  await channelTo(`${from}/news`, 'ntfy').send(changes, signal)
  expect(seen).toEqual([authorization])
})

test.for([
  [1, 'https://feeds.example.org/events/1?a=1&b=(2)'],
  [2, pageUrl],
] as const)(
  'links an ntfy message with %d lines to the entry, or to the home page for several',
  async ([count, click]) => {
    const { url, posts } = await startChatService('ntfy')
    await channelTo(url, 'ntfy').send({ ...changes, lines: changes.lines.slice(0, count) }, signal)
    expect(posts[0]?.json).toMatchObject({ click, tags: ['calendar'] })
  },
)

test('posts alerts about a problem in one Google Chat thread', async () => {
  const seen: { url: string | undefined; body: unknown }[] = []
  const origin = await startHttpServer((request, response) => {
    void request.toArray().then((parts) => {
      seen.push({ url: request.url, body: JSON.parse(Buffer.concat(parts).toString()) })
      return response.end('{}')
    })
  })
  const url = chatServices['googlechat']?.url(origin) ?? ''
  await channelTo(url, 'googlechat').send(noticeWith({}), signal)
  expect(seen[0]?.url).toContain('&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD')
  expect(seen[0]?.body).toMatchObject({ thread: { threadKey: 'records-held-1' } })
})
