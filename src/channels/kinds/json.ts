import { createHmac } from 'node:crypto'
import type { ChannelKind, Receiver } from '../channel-kind.ts'
import { boundedLines, type Notice } from '../notice.ts'

/** Follows Standard Webhooks (https://www.standardwebhooks.com). */
export const json: ChannelKind = {
  name: 'json',
  label: 'Webhook',
  example: 'https://n8n.example.org/webhook/feedhouse',
  isForPrograms: true,
  send(notice, receiver, call) {
    const document = documentFrom(notice)
    const headers = signatureHeaders(notice, JSON.stringify(document), receiver)
    return call({ url: receiver.url, headers, json: document })
  },
}

function documentFrom(notice: Notice) {
  const { type, at, siteName, title, url, data } = notice
  const text = boundedLines(notice).map((line) => line.text)
  return {
    type,
    timestamp: new Date(at).toISOString(),
    data: { site: siteName, title, text, url, ...data },
  }
}

/** Leaves out the signature if there is no secret. */
function signatureHeaders(
  { id }: Notice,
  body: string,
  { secret, now }: Receiver,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now() / 1000))
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  if (secret === undefined) return headers
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { ...headers, 'webhook-signature': `v1,${signature}` }
}
