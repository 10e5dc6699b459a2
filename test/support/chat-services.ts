import type { IncomingHttpHeaders } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { parseDocument } from 'htmlparser2'
import { startHttpServer } from './http-server.ts'
import type { Answer, ReceivedPost } from './receivers.ts'

/* Fake chat services that behave as documented. */

export type ChatService = {
  /** URL in the settings for a service at an origin. */
  readonly url: (origin: string) => string
  /** Returns what the service would reject in a request that posts a message. */
  readonly faults: (post: ReceivedPost) => readonly (string | false)[]
  /** Returns the text that people see. */
  readonly shown: (post: ReceivedPost) => string
  /** Body of the response to a message. */
  readonly posted?: object
  /** Rate-limit response that requests a delay of one minute. */
  readonly limited?: { readonly headers?: Readonly<Record<string, string>>; readonly body?: object }
}

/** Current time in all tests with services. */
export const serviceNow = Date.parse('2026-03-05T15:00:00Z')

const inOneMinute = serviceNow + 60_000

function withUser(origin: string, user: string): string {
  return origin.replace('http://', `http://${user}@`)
}

function textIn({ json }: ReceivedPost, name: string): string {
  const value = json[name]
  return typeof value === 'string' ? value : ''
}

function isPostTo(path: string, { method, path: actual }: ReceivedPost) {
  return (method !== 'POST' || actual !== path) && `${method} ${actual}`
}

function isSignedBy(token: string, { authorization }: IncomingHttpHeaders) {
  return authorization !== token && `wrong authorization ${authorization}`
}

const hasControls = /[^\P{Cc}\n]|[\u202A-\u202E\u2066-\u2069]|\p{Cs}/u
const mentions = /(?<![\p{L}\p{N}_])@\w+/u

/** Returns faults in text that people see. Services find mentions only in text that is not code. */
function textFaults(text: string, withoutCode = text) {
  return [
    text.trim() === '' && 'no text',
    hasControls.test(text) && 'control characters',
    mentions.test(withoutCode) && `mentions ${mentions.exec(withoutCode)?.[0]}`,
  ]
}

const codeSpans = /(?<!\\)`([^`\n]*)`/g

type Node = ReturnType<typeof parseDocument>['children'][number]

/** Reads HTML that may contain only bold text, code, links and line breaks. */
function htmlTextOf(html: string): { readonly text: string; readonly tags: readonly string[] } {
  const tags: string[] = []
  const innerText = (nodes: readonly Node[]): string =>
    nodes
      .map((node) => {
        if ('data' in node) return node.data
        if (!('name' in node) || !('children' in node)) return ''
        tags.push(`${node.name} ${Object.keys(node.attribs).join(' ')}`.trim())
        return node.name === 'br' ? '\n' : innerText(node.children)
      })
      .join('')
  return { text: innerText(parseDocument(html).children), tags }
}

function htmlFaults(html: string, allowed: readonly string[]) {
  const { text, tags } = htmlTextOf(html)
  const wrong = tags.filter((tag) => !allowed.includes(tag))
  const withoutCode = htmlTextOf(html.replaceAll(/<code>[^<]*<\/code>/g, '')).text
  return [...textFaults(text, withoutCode), wrong.length > 0 && `tags ${wrong.join(', ')}`]
}

type Facet = {
  readonly index: { readonly byteStart: number; readonly byteEnd: number }
  readonly features: readonly { readonly $type: string; readonly uri: string }[]
}

type BlueskyPost = {
  readonly $type: string
  readonly text: string
  readonly facets: readonly Facet[]
  readonly langs: readonly string[]
  readonly createdAt: string
}

function blueskyPostIn({ json }: ReceivedPost): BlueskyPost {
  return json['record'] as BlueskyPost
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Returns true for bytes that contain text, and only whole characters. */
function isTextRange(text: string, { byteStart, byteEnd }: Facet['index']): boolean {
  const bytes = Buffer.from(text)
  const isStart = (offset: number) => ((bytes[offset] ?? 0) & 0xc0) !== 0x80
  return byteStart < byteEnd && byteEnd <= bytes.length && isStart(byteStart) && isStart(byteEnd)
}

/** Returns the text of Markdown with links and a bold title. */
function markdownText(markdown: string): string {
  return markdown
    .replaceAll(codeSpans, '$1')
    .replaceAll(/\[((?:\\.|[^\]\\])*)\]\([^)\s]*\)/g, '$1')
    .replace(/^\*\*(.*)\*\*$/m, '$1')
    .replaceAll(/\\([^a-z])/g, '$1')
}

/** Returns the text of each link. */
export function blueskyLinksIn(post: ReceivedPost): readonly (readonly [string, string])[] {
  const { text, facets } = blueskyPostIn(post)
  const bytes = Buffer.from(text)
  return facets.map(({ index: { byteStart, byteEnd }, features: [feature] }) => [
    bytes.subarray(byteStart, byteEnd).toString(),
    feature?.uri ?? '',
  ])
}

export const chatServices: Readonly<Record<string, ChatService>> = {
  ntfy: {
    url: (origin) => `${withUser(origin, ':tk_SECRET')}/fire-news`,
    faults: (post) => [
      isPostTo('/', post),
      isSignedBy('Bearer tk_SECRET', post.headers),
      textIn(post, 'topic') !== 'fire-news' && 'wrong topic',
      ...textFaults(textIn(post, 'title')).slice(0, 2),
      ...textFaults(textIn(post, 'message')).slice(0, 2),
      Buffer.byteLength(textIn(post, 'message')) > 4_096 && 'an attachment',
      Buffer.byteLength(post.body) > 8_192 && 'too large',
      !URL.canParse(textIn(post, 'click')) && 'no click',
      !Array.isArray(post.json['tags']) && 'no tags',
      !/^[\w-]{1,64}$/.test(textIn(post, 'sequence_id')) && 'no sequence',
    ],
    shown: (post) => [textIn(post, 'title'), textIn(post, 'message')].join('\n'),
    limited: { headers: { 'retry-after': '60' } },
  },
  telegram: {
    url: (origin) => `${origin}/bot1:SECRET/sendMessage?chat_id=@fire&message_thread_id=7`,
    faults: (post) => [
      isPostTo('/bot1:SECRET/sendMessage', post),
      textIn(post, 'chat_id') !== '@fire' && 'wrong chat',
      textIn(post, 'message_thread_id') !== '7' && 'wrong topic',
      textIn(post, 'parse_mode') !== 'HTML' && 'no parse mode',
      !post.body.includes('"link_preview_options":{"is_disabled":true}') && 'a preview',
      ...htmlFaults(textIn(post, 'text'), ['b', 'code', 'a href']),
      htmlTextOf(textIn(post, 'text')).text.length > 4_096 && 'too long',
    ],
    shown: (post) => htmlTextOf(textIn(post, 'text')).text,
    limited: { body: { ok: false, error_code: 429, parameters: { retry_after: 60 } } },
  },
  mattermost: {
    url: (origin) => `${origin}/hooks/SECRET`,
    faults: (post) => [
      isPostTo('/hooks/SECRET', post),
      ...textFaults(
        markdownText(textIn(post, 'text')),
        markdownText(textIn(post, 'text').replaceAll(codeSpans, '')),
      ),
      textIn(post, 'text').includes('<!') && 'mentions a channel like Slack',
      /^(?:#|>|-|\d+\. )/m.test(textIn(post, 'text')) && 'is a heading, quote or list',
      textIn(post, 'text').length > 16_383 && 'too long',
    ],
    shown: (post) => markdownText(textIn(post, 'text')),
    limited: { headers: { 'retry-after': '60' } },
  },
  matrix: {
    url: (origin) => `${withUser(origin, 'SECRET')}/!room:example.org`,
    faults: (post) => [
      (post.method !== 'PUT' ||
        !/^\/_matrix\/client\/v3\/rooms\/!room%3Aexample.org\/send\/m.room.message\/[\w-]+$/.test(
          post.path,
        )) &&
        `${post.method} ${post.path}`,
      isSignedBy('Bearer SECRET', post.headers),
      ...textFaults(textIn(post, 'body')),
      textIn(post, 'msgtype') !== 'm.text' && 'no type',
      textIn(post, 'format') !== 'org.matrix.custom.html' && 'no format',
      ...htmlFaults(textIn(post, 'formatted_body'), ['b', 'code', 'a href', 'br']),
      JSON.stringify(post.json['m.mentions']) !== '{}' && 'mentions',
      Buffer.byteLength(post.body) > 60_000 && 'too large',
    ],
    shown: (post) => htmlTextOf(textIn(post, 'formatted_body')).text,
    posted: { event_id: '$1:example.org' },
    limited: { body: { errcode: 'M_LIMIT_EXCEEDED', retry_after_ms: 60_000 } },
  },
  googlechat: {
    url: (origin) => `${origin}/v1/spaces/A/messages?key=SECRET&token=SECRET`,
    faults: (post) => [
      !/^\/v1\/spaces\/A\/messages\?key=SECRET&token=SECRET&requestId=[\w-]+$/.test(post.path) &&
        post.path,
      post.method !== 'POST' && post.method,
      hasControls.test(textIn(post, 'text')) && 'control characters',
      /<users\//.test(textIn(post, 'text')) && 'mentions',
      Buffer.byteLength(post.body) > 32_000 && 'too large',
    ],
    shown: (post) =>
      textIn(post, 'text')
        .replaceAll(/<[^|<]*\|([^<>]*)>/g, '$1')
        .replaceAll(codeSpans, '$1'),
    limited: { headers: { 'retry-after': '60' } },
  },
  groupme: {
    url: (origin) => `${origin}/v3/bots/post?bot_id=SECRET`,
    faults: (post) => [
      isPostTo('/v3/bots/post', post),
      textIn(post, 'bot_id') !== 'SECRET' && 'wrong bot',
      ...textFaults(textIn(post, 'text')),
      textIn(post, 'text').length > 1_000 && 'too long',
    ],
    shown: (post) => textIn(post, 'text'),
    limited: { headers: { 'retry-after': '60' } },
  },
  mastodon: {
    url: (origin) => withUser(origin, 'SECRET'),
    faults: (post) => [
      isPostTo('/api/v1/statuses', post),
      isSignedBy('Bearer SECRET', post.headers),
      post.headers['idempotency-key'] === undefined && 'no key',
      ...textFaults(textIn(post, 'status')),
      [...graphemes.segment(textIn(post, 'status').replaceAll(/https?:\/\/\S+/g, '.'.repeat(23)))]
        .length > 500 && 'too long',
      textIn(post, 'visibility') !== 'public' && 'not public',
      !/^[a-z]{2,3}$/.test(textIn(post, 'language')) && 'no language',
    ],
    shown: (post) => textIn(post, 'status'),
    posted: { id: '1' },
    limited: { headers: { 'x-ratelimit-reset': new Date(inOneMinute).toISOString() } },
  },
  bluesky: {
    url: (origin) => withUser(origin, 'fire.bsky.social:SECRET'),
    faults: (post) => {
      const { $type, text, facets, langs, createdAt } = blueskyPostIn(post)
      return [
        isPostTo('/xrpc/com.atproto.repo.putRecord', post),
        isSignedBy('Bearer jwt-1', post.headers),
        textIn(post, 'repo') !== 'did:plc:fire' && 'wrong repository',
        textIn(post, 'collection') !== 'app.bsky.feed.post' && 'wrong collection',
        !/^[2-7a-j][2-7a-z]{12}$/.test(textIn(post, 'rkey')) && 'no TID',
        $type !== 'app.bsky.feed.post' && 'wrong type',
        ...textFaults(text).slice(0, 2),
        [...graphemes.segment(text)].length > 300 && 'too many graphemes',
        Buffer.byteLength(text) > 3_000 && 'too many bytes',
        facets.some(({ index }) => !isTextRange(text, index)) && 'wrong offsets',
        Number.isNaN(Date.parse(createdAt)) && 'no time',
        (langs.length !== 1 || !URL.canParse(`https://${langs[0]}.example/`)) && 'no language',
      ]
    },
    shown: (post) => blueskyPostIn(post).text,
    posted: { uri: 'at://did:plc:fire/app.bsky.feed.post/1', cid: '1' },
    limited: { headers: { 'ratelimit-reset': String(inOneMinute / 1000) } },
  },
}

/**
 * Starts a service that rejects invalid requests. Valid ones get the prepared responses in order,
 * and success after that.
 */
export async function startChatService(kind: string) {
  const service = chatServices[kind]
  if (!service) throw new TypeError(`there is no service ${kind}`)
  const { faults, posted = {} } = service
  const posts: ReceivedPost[] = []
  const signIns: ReceivedPost[] = []
  const answers: Answer[] = []
  const origin = await startHttpServer((request, response) => {
    void textOf(request).then((body) => {
      const { method = '', url: path = '', headers } = request
      const post = { method, path, headers, body, json: JSON.parse(body) as ReceivedPost['json'] }
      const isSignIn = path.endsWith('.createSession')
      ;(isSignIn ? signIns : posts).push(post)
      const wrong = isSignIn ? [] : faults(post).filter((fault) => fault !== false)
      const right = isSignIn ? sessionFor(post) : { status: 200, body: JSON.stringify(posted) }
      const answer =
        wrong.length > 0 ? { status: 400, body: wrong.join('; ') } : (answers.shift() ?? right)
      return response.writeHead(answer.status, answer.headers).end(answer.body)
    })
  })
  return { url: service.url(origin), posts, signIns, answers, service }
}

/** Returns the response to signing in to Bluesky. */
function sessionFor({ json: { identifier, password } }: ReceivedPost): Answer {
  if (identifier !== 'fire.bsky.social' || password !== 'SECRET') {
    return { status: 401, body: JSON.stringify({ error: 'AuthenticationRequired' }) }
  }
  return { status: 200, body: JSON.stringify({ accessJwt: 'jwt-1', did: 'did:plc:fire' }) }
}
