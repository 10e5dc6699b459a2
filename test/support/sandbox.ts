import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { connect } from 'node:tls'
import { text } from 'node:stream/consumers'
import { Agent, request } from 'undici'
import { expect, inject, onTestFinished } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts'
import { createFakeClock } from './fake-clock.ts'

type Headers = Readonly<Record<string, string | readonly string[]>>

/** Returns options of sandboxes that share a certificate authority. Creating one for each would take longer. */
export const certificates = () => ({ certificateDirectory: inject('certificateDirectory') })

/** Starts a sandbox for one test, with a fake clock and an HTTPS client. */
export async function startSandbox(options: SandboxOptions = {}) {
  const clock = createFakeClock()
  const sandbox = await createSandbox({ now: clock.now, ...certificates(), ...options })
  onTestFinished(() => sandbox[Symbol.asyncDispose]())

  /** Creates a client with its own IP address. */
  function callerAt(localAddress: string) {
    const dispatcher = agentFor(sandbox, localAddress)
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
    const { port } = new URL(sandbox.url)
    const ca = readFileSync(sandbox.caFile)
    const socket = connect({ port: Number(port), host: '127.0.0.1', ca })
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

/** Creates an agent that trusts a sandbox, for one test. */
export function agentFor({ caFile }: Pick<Sandbox, 'caFile'>, localAddress = '127.0.0.1'): Agent {
  const agent = new Agent({ localAddress, connect: { ca: readFileSync(caFile) } })
  onTestFinished(() => agent.destroy())
  return agent
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

/** Returns the expected body for an error of the data service. */
export function failure(status: number, code: string) {
  return { status, error: STATUS_CODES[status], code, message: expect.stringMatching(/./) }
}

/** Matches the response with an error of the data service. */
export const rejected = (status: number, code: string) =>
  expect.objectContaining({ status, body: failure(status, code) })

export const notFound = failure(404, 'not_found')
export const invalidParameter = failure(400, 'invalid_parameter')

export function idsOf(response: { readonly body: { readonly items: readonly { id: number }[] } }) {
  return response.body.items.map(({ id }) => id)
}
