import { readFileSync } from 'node:fs'
import { connect } from 'node:tls'
import { text } from 'node:stream/consumers'
import { Agent, request } from 'undici'
import { expect, onTestFinished } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts'
import { createFakeClock } from './fake-clock.ts'

type Headers = Readonly<Record<string, string | readonly string[]>>

/** Starts a sandbox for one test, with a fake clock and an HTTPS client. */
export async function startSandbox(options: SandboxOptions = {}) {
  const clock = createFakeClock()
  const resources = new AsyncDisposableStack()
  onTestFinished(() => resources.disposeAsync())
  const sandbox = resources.use(await createSandbox({ now: clock.now, ...options }))
  const ca = readFileSync(sandbox.caFile)

  /** Creates a client with its own IP address. */
  function callerAt(localAddress: string) {
    const dispatcher = new Agent({ localAddress, connect: { ca } })
    resources.defer(() => dispatcher.destroy())
    return async (method: string, path: string, headers: Headers = {}, body?: string) => {
      const response = await request(`${sandbox.url}${path}`, {
        method: method as 'GET',
        dispatcher,
        headers: headers as Record<string, string | string[]>,
        body: body ?? null,
      })
      const received = await response.body.text()
      const isJson = /json/.test(String(response.headers['content-type']))
      return {
        status: response.statusCode,
        headers: response.headers,
        body: received !== '' && isJson ? JSON.parse(received) : undefined,
        text: received,
      }
    }
  }

  const caller = callerAt('127.0.0.1')
  const call = (method: string, path: string, authorization?: string, body?: string) =>
    caller(method, path, authorization === undefined ? {} : { authorization }, body)

  const refreshToken = sandbox.projects[0]?.refreshToken ?? ''
  const refresh = (token = refreshToken) => call('POST', '/apps/api/refresh/', `Bearer ${token}`)

  let accessToken: Promise<string> | undefined
  async function get(path: string) {
    accessToken ??= refresh().then(({ body }) => body.access_token)
    return call('GET', path, `Bearer ${await accessToken}`)
  }

  /** Sends raw bytes and returns everything received until the connection ends. */
  function sendRaw(bytes: string): Promise<string> {
    const socket = connect({ port: Number(new URL(sandbox.url).port), host: '127.0.0.1', ca })
    socket.write(bytes)
    return text(socket)
  }

  async function send(bytes: string) {
    const [head = '', body = ''] = (await sendRaw(bytes)).split('\r\n\r\n')
    const status = Number(head.split(' ')[1])
    return { status, head, body: body === '' ? undefined : JSON.parse(body) }
  }

  return {
    clock,
    sandbox,
    request: caller,
    callerAt,
    call,
    refresh,
    refreshToken,
    get,
    send,
    sendRaw,
  }
}

/** Returns Feedhouse settings for reading a sandbox. */
export function settingsFor({ url, projects, timeZone, caFile }: Sandbox) {
  return {
    SITE_URL: url,
    SITE_REFRESH_TOKEN: projects[0]?.refreshToken ?? '',
    SITE_TIME_ZONE: timeZone,
    SITE_CA_FILE: caFile,
  }
}

/** Returns the expected response for an error of the data service. */
export function failure(status: number, error: string, code: string) {
  return { status, error, code, message: expect.stringMatching(/./) }
}

export function idsOf(response: { readonly body: { readonly items: readonly { id: number }[] } }) {
  return response.body.items.map(({ id }) => id)
}
