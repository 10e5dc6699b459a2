import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { callbackify } from 'node:util'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { startHttpServer } from './http-server.ts'

export type ReceivedPost = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The parsed body. */
  readonly json: Record<string, unknown>
}

export type Answer = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
}

/**
 * Starts a webhook receiver on a real HTTP server. It sends the prepared responses in order, and
 * 200 after that.
 */
export async function startWebhookReceiver() {
  const posts: ReceivedPost[] = []
  const answers: Answer[] = []
  const state = { defaultStatus: 200 }
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const { method = '', url: path = '', headers } = request
    const json = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>)
    posts.push({ method, path, headers, body, json })
    const answer = answers.shift() ?? { status: state.defaultStatus }
    response.writeHead(answer.status, answer.headers).end(answer.body ?? 'ok')
  }
  const origin = await startHttpServer((request, response) => void receive(request, response))
  return { url: `${origin}/hook-SECRET`, posts, answers, state }
}

export type ReceivedMail = {
  readonly from: string
  readonly to: readonly string[]
  /** Header fields and text, with soft line breaks removed. */
  readonly text: string
  readonly user: string | undefined
  /** The message as sent. */
  readonly raw: string
}

/** Starts a mail server that accepts mail from anyone, or only from one user. */
export async function startMailServer(
  options: { readonly user?: string; readonly password?: string } = {},
) {
  const mails: ReceivedMail[] = []
  const state = {
    rejectsWith: undefined as number | undefined,
    refusesRecipients: false,
    /** Returns the response to a recipient, like `450 4.2.0 try later`, or undefined to accept it. */
    responseTo: (_address: string): string | undefined => undefined,
    connections: 0,
    /** Closes all connections. */
    endConnections(): void {
      for (const connection of server.connections) connection.close()
    },
  }
  const server = new SMTPServer({
    authOptional: options.user === undefined,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    onAuth({ username, password }, _session, callback) {
      const isRight = username === options.user && password === options.password
      if (isRight) return callback(null, { user: username })
      callback(new Error('wrong password'))
    },
    onConnect(_session, callback) {
      state.connections += 1
      callback()
    },
    onRcptTo({ address }, _session, callback) {
      const response = state.responseTo(address)
      const [, code, text] = /^(\d+) (.*)$/.exec(response ?? '') ?? []
      const refusal = code && Object.assign(new Error(text), { responseCode: Number(code) })
      callback(refusal || (state.refusesRecipients ? new Error('unknown') : undefined))
    },
    onData(stream, session, callback) {
      const received = async () => {
        const raw = await text(stream)
        const { rejectsWith } = state
        if (rejectsWith !== undefined) {
          throw Object.assign(new Error('rejected'), { responseCode: rejectsWith })
        }
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          text: decoded(raw),
          raw,
          user: typeof session.user === 'string' ? session.user : undefined,
        })
      }
      callbackify(received)(callback)
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = listening.address() as AddressInfo
  const { user, password } = options
  const credentials = user === undefined ? '' : `${user}:${password}@`
  return { url: `smtp://${credentials}127.0.0.1:${port}`, mails, state }
}

/** Decodes quoted-printable text. */
function decoded(raw: string): string {
  const unfolded = raw.replaceAll('\r\n', '\n').replaceAll(/\n[ \t]+/g, ' ')
  const text = unfolded.replaceAll('=\n', '')
  const bytes = text.replaceAll(/=([\dA-F]{2})/g, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
