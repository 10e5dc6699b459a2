import { createHash } from 'node:crypto'
import { z } from 'zod'
import { parsedJson } from '../../json.ts'
import { isSuccess, type ChannelKind, type Receiver } from '../channel-kind.ts'
import { encodedUrl, messageText } from '../message-text.ts'
import type { Notice } from '../notice.ts'

/** Graphemes, or 3,000 bytes (https://github.com/bluesky-social/atproto/tree/main/lexicons). */
const maxText = 300
const maxLine = 150

const sessionSchema = z.object({ accessJwt: z.string(), did: z.string() })

const sessions = new WeakMap<Receiver, z.infer<typeof sessionSchema>>()

/** Precedes and follows the URL of a link, and follows its text. */
const mark = '\0'

export const bluesky: ChannelKind = {
  name: 'bluesky',
  label: 'Bluesky',
  example: 'https://NAME.bsky.social:APP-PASSWORD@bsky.social',
  isPublic: true,
  hasCredentials: true,
  faultOf({ username, password, pathname }) {
    if (username === '' || password === '') return 'has no handle and app password before the @'
    return pathname === '/' ? undefined : 'contains a path'
  },
  async send(notice, receiver, call) {
    const answer = await post(notice, receiver, call)
    if (!/"(?:Expired|Invalid)Token"/.test(answer.text)) return answer
    sessions.delete(receiver)
    return post(notice, receiver, call)
  },
  // The response to a failed sign-in has no URI.
  isDelivered: ({ status, text }) =>
    isSuccess(status) ? text.includes('"uri"') : text.includes('"InvalidSwap"'),
  retryAfter: ({ headers }) =>
    new Date(Number(headers.get('ratelimit-reset')) * 1000).toUTCString(),
}

async function post(...[notice, receiver, call]: Parameters<ChannelKind['send']>) {
  const { url, user, password } = receiver
  const endpoint = (method: string) => new URL(`/xrpc/com.atproto.${method}`, url)
  let session = sessions.get(receiver)
  if (!session) {
    const json = { identifier: user, password }
    const answer = await call({ url: endpoint('server.createSession'), json })
    session = sessionSchema.safeParse(parsedJson(answer.text)).data
    if (!session) return answer
    sessions.set(receiver, session)
  }
  return call({
    url: endpoint('repo.putRecord'),
    headers: { authorization: `Bearer ${session.accessJwt}` },
    json: {
      repo: session.did,
      collection: 'app.bsky.feed.post',
      rkey: recordKeyFrom(notice.id),
      // A record that exists is not replaced, so a repeated message is not posted again.
      swapRecord: null,
      record: postFrom(notice),
    },
  })
}

/** Returns a TID (https://atproto.com/specs/tid) that is the same for the same message. */
function recordKeyFrom(id: string): string {
  const digits = '234567abcdefghijklmnopqrstuvwxyz'
  const bytes = createHash('sha256').update(id).digest().subarray(0, 13)
  return Array.from(bytes, (byte, index) => digits[byte % (index === 0 ? 16 : 32)]).join('')
}

function postFrom(notice: Notice) {
  const formatted = messageText(notice, {
    maxLength: maxText,
    maxLineLength: maxLine,
    text: (text) => text,
    link: (url, text) => `${mark}${encodedUrl(url)}${mark}${text}${mark}`,
    lengthOf: countedLength,
  })
  return {
    $type: 'app.bsky.feed.post',
    ...withFacets(formatted),
    langs: [notice.language ?? 'en'],
    createdAt: new Date(notice.at).toISOString(),
  }
}

/** Links are ranges of UTF-8 bytes. Text is a mention only if a facet says so. */
function withFacets(formatted: string) {
  let text = ''
  const facets: object[] = []
  const parts = formatted.split(mark)
  for (const [index, part] of parts.entries()) {
    if (index % 3 === 1) continue
    const byteStart = Buffer.byteLength(text)
    text += part
    if (index % 3 === 0) continue
    facets.push({
      index: { byteStart, byteEnd: Buffer.byteLength(text) },
      features: [{ $type: 'app.bsky.richtext.facet#link', uri: parts[index - 1] }],
    })
  }
  return { text, facets }
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function countedLength(formatted: string): number {
  const { text } = withFacets(formatted)
  const graphemes = Array.from(segmenter.segment(text)).length
  return Math.max(graphemes, Math.ceil(Buffer.byteLength(text) / 10))
}
