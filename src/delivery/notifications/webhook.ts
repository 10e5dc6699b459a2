import { createHash } from 'node:crypto'
import {
  isSuccess,
  type Answer,
  type AnswerReader,
  type ChannelRequest,
} from '../../channels/channel-kind.ts'
import { kindOf, type ChannelTarget } from '../../channels/channel-kinds.ts'
import type { Channel, Delivery } from '../../channels/notice.ts'
import { decoded } from '../../channels/url-parts.ts'
import { connectionFaultFrom } from '../../upstream/connection-fault.ts'
import { type ConnectionFaultReason, retryAfterMs } from '../../upstream/upstream-error.ts'

/** Timeout for all requests that send a message, in total. */
export const timeoutMs = 15_000
const maxResponseBytes = 16_384

/** Statuses which mean that a receiver will never accept this message. Others may be temporary. */
const permanentStatuses = [400, 413, 415, 422]

/** Services block requests without a name. */
const userAgent = 'Feedhouse (webhook)'

type WebhookOptions = {
  readonly purpose: 'alert' | 'change'
  readonly target: ChannelTarget
  /** Signs JSON messages, so that the receiver can verify the sender. */
  readonly secret: string | undefined
  readonly now: () => number
}

/** Creates a channel that posts messages to a webhook. It never follows redirects. */
export function createWebhookChannel({ purpose, target, secret, now }: WebhookOptions): Channel {
  const kind = kindOf(target.kind)
  const { url, user, password } = withoutCredentials(target)
  const digest = createHash('sha256').update(target.url).digest('hex')
  const receiver = { url, user, password, secret, now }
  return {
    id: `${purpose}-webhook-${digest.slice(0, 12)}`,
    receiver: kind.isForPrograms ? undefined : `${kind.name} ${digest}`,
    label: `${kind.label} at ${url.host}`,
    send: (notice, signal) =>
      deliveryOf(
        (limit) => kind.send(notice, receiver, (request) => sendRequest(request, limit)),
        signal,
        now,
        kind,
      ),
  }
}

/** Sends a request with a timeout. Resolves to the result, even if the receiver cannot be reached. */
export async function deliveryOf(
  send: (signal: AbortSignal) => Promise<Answer>,
  signal: AbortSignal,
  now: () => number,
  kind: AnswerReader = {},
): Promise<Delivery> {
  try {
    const answer = await send(AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
    return deliveryFrom(answer, kind, now())
  } catch (error) {
    return { ok: false, reason: failureOf(error), isPermanent: false }
  }
}

function withoutCredentials({ url: text }: ChannelTarget) {
  const url = new URL(text)
  const [user = '', password = ''] = [url.username, url.password].map(decoded)
  url.username = ''
  url.password = ''
  return { url, user, password }
}

/** Sends no message. Resolves to a reason if the host cannot be reached. */
export async function webhookFault(target: ChannelTarget): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(new URL(target.url).origin, {
      method: 'HEAD',
      redirect: 'manual',
      signal,
    })
    await response.body?.cancel()
    return undefined
  } catch (error) {
    return failureOf(error)
  }
}

async function sendRequest(
  { url, method = 'POST', headers, json }: ChannelRequest,
  signal: AbortSignal,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    body: JSON.stringify(json),
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': userAgent,
      ...headers,
    },
    redirect: 'manual',
    signal,
  })
  return { status: response.status, headers: response.headers, text: await startOfBody(response) }
}

function deliveryFrom(answer: Answer, kind: AnswerReader, now: number): Delivery {
  const { status, headers } = answer
  const isOk = isSuccess(status)
  if (kind.isDelivered?.(answer) ?? isOk) return { ok: true }
  const retryAfter =
    headers.get('retry-after') ?? (status === 429 ? kind.retryAfter?.(answer) : undefined)
  return {
    ok: false,
    reason: isOk
      ? 'the service did not deliver the message'
      : `status ${status}${explanationOf(status)}`,
    isPermanent: permanentStatuses.includes(status),
    retryAfterMs: retryAfterMs(retryAfter, now),
  }
}

function explanationOf(status: number): string {
  if (status === 401) return ', the key was rejected'
  return status >= 300 && status < 400 ? ', a redirect' : ''
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
