import { createHash, createHmac } from 'node:crypto'
import type { WebhookKind, WebhookTarget } from '../../config/notification-settings.ts'
import { connectionFaultFrom } from '../../upstream/connection-fault.ts'
import { type ConnectionFaultReason, retryAfterMs } from '../../upstream/upstream-error.ts'
import type { Channel, Delivery, Notice } from './notice.ts'
import { webhookBody } from './webhook-bodies.ts'

export const timeoutMs = 15_000
const maxResponseBytes = 4_096

/** Statuses which mean that a receiver will never accept this message. Others may be temporary. */
const permanentStatuses = [400, 413, 415, 422]

/** Services block requests without a name. */
const userAgent = 'Feedhouse (webhook)'

const names: Readonly<Record<WebhookKind, string>> = {
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Teams',
  json: 'Webhook',
}

type WebhookOptions = {
  /** Distinguishes alert channels from change channels. */
  readonly purpose: 'alert' | 'change'
  readonly target: WebhookTarget
  /** Signs JSON messages, so that the receiver can verify the sender. */
  readonly secret: string | undefined
  readonly now: () => number
}

/** Creates a channel that posts messages to a webhook. It never follows redirects. */
export function createWebhookChannel({ purpose, target, secret, now }: WebhookOptions): Channel {
  const { kind, url } = target
  const targetUrl = kind === 'discord' ? withWait(url) : url
  const digest = createHash('sha256').update(url).digest('hex')
  return {
    id: `${purpose}-webhook-${digest.slice(0, 12)}`,
    receiver: kind === 'json' ? undefined : `${kind} ${digest}`,
    label: `${names[kind]} at ${new URL(url).host}`,
    async send(notice, signal) {
      const body = JSON.stringify(webhookBody(kind, notice))
      const signed = kind === 'json' ? signatureHeaders(notice, body, { secret, now }) : {}
      try {
        const response = await fetch(targetUrl, {
          method: 'POST',
          body,
          headers: {
            'content-type': 'application/json; charset=utf-8',
            'user-agent': userAgent,
            ...signed,
          },
          redirect: 'manual',
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        })
        return deliveryFrom(response, await startOfBody(response), now())
      } catch (error) {
        return { ok: false, reason: failureOf(error), isPermanent: false }
      }
    },
  }
}

/** Sends no message. Resolves to a reason if the host cannot be reached. */
export async function webhookFault({ url }: WebhookTarget): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { method: 'HEAD', redirect: 'manual', signal })
    await response.body?.cancel()
    return undefined
  } catch (error) {
    return failureOf(error)
  }
}

/** Makes Discord report a message that it could not save. */
function withWait(url: string): string {
  const waiting = new URL(url)
  waiting.searchParams.set('wait', 'true')
  return waiting.href
}

/** Returns the headers of Standard Webhooks, without a signature if there is no secret. */
function signatureHeaders(
  { id }: Pick<Notice, 'id'>,
  body: string,
  { secret, now }: Pick<WebhookOptions, 'secret' | 'now'>,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now() / 1000))
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  if (secret === undefined) return headers
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { ...headers, 'webhook-signature': `v1,${signature}` }
}

function deliveryFrom(response: Response, text: string, now: number): Delivery {
  const { status, headers, ok } = response
  // Old Teams connectors respond with 200 and an error message.
  if (ok && !text.startsWith('Webhook message delivery failed')) return { ok: true }
  const isRedirect = status >= 300 && status < 400
  const asked = retryAfterMs(headers.get('retry-after') ?? undefined, now)
  const failure = `status ${status}${isRedirect ? ', a redirect' : ''}`
  return {
    ok: false,
    reason: ok ? 'the service has not delivered it' : failure,
    isPermanent: permanentStatuses.includes(status),
    ...(asked === undefined ? {} : { retryAfterMs: asked }),
  }
}

async function startOfBody({ body }: Response): Promise<string> {
  let start = Buffer.alloc(0)
  // Leaving the loop cancels the body.
  for await (const chunk of body ?? []) {
    start = Buffer.concat([start, chunk])
    if (start.length >= maxResponseBytes) break
  }
  return start.toString()
}

const connectionFaults: Readonly<Partial<Record<ConnectionFaultReason, string>>> = {
  'name unknown': 'the host name does not exist',
  'name server': 'host names cannot be looked up right now',
  refused: 'the host refuses the connection',
  'no route': 'there is no network route to the host',
  'no answer': 'the host does not respond',
}

/** Returns why a request failed, as the end of a sentence. */
function failureOf(error: unknown): string {
  const thrown = error instanceof TypeError ? error.cause : error
  const { kind, reason, code } = connectionFaultFrom(thrown)
  const known = reason && connectionFaults[reason]
  if (known !== undefined) return known
  if (kind === 'timeout') return 'the host does not respond'
  const detail = code === '' ? '' : ` (${code})`
  return kind === 'tls' ? `the certificate is not valid${detail}` : `the connection failed${detail}`
}
