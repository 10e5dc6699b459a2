import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { Agent, maxHeaderSize, request as sendRequest } from '../node-http.ts'
import { maxOpen } from './in-flight-responses.ts'
import { fieldsOf } from './cached-response.ts'
import { agentOptions, connectWith, type OriginConnection } from './origin-connection.ts'
import { clientIn, createHostSession, type HostKeys } from './host-proof.ts'
import { hostHeader } from './protocol.ts'

export const hostLimits = {
  /** How long a host may take to respond to a greeting, and then to send the response. */
  greetingMs: 2_000,
  /** How long a host may send nothing while a client waits. */
  silentMs: 60_000,
}

/** Size of the largest response to a greeting. */
const maxGreetingBytes = 4_096

/** A host that has restarted or dropped a key needs another signature. */
const maxAttempts = 2

/** Size of a separator or line break in headers, and of the headers and the method that Node adds. */
const separatorBytes = 2
const spareBytes = 100

/** Thrown if another host would reject a client's headers with the ones that hosts add. */
export class HeadersTooLarge extends Error {
  override readonly name = 'HeadersTooLarge'
}

export type HostConnection = OriginConnection & {
  /** Resolves to the id of the host. Rejects if the server can't prove that it has one of the keys. */
  readonly id: () => Promise<string>
}

/**
 * Connects to another host, whose front forwards the requests to its workers. Sends no request
 * before the host has proved that it has one of the keys. Never follows redirects.
 */
export function connectToHost(
  url: string,
  keys: HostKeys,
  { greetingMs, silentMs } = hostLimits,
): HostConnection {
  const { protocol, hostname, host: authority, port } = new URL(url)
  // Loads TLS on demand, because few deployments have several hosts.
  const tls = protocol === 'https:' ? process.getBuiltinModule('node:https') : undefined
  const agent = tls ? new tls.Agent(agentOptions) : new Agent(agentOptions)
  const send = tls ? tls.request : sendRequest
  // URLs have brackets around IPv6 addresses.
  const host = hostname.replace(/^\[|\]$/g, '')
  // An IP address is not a server name (RFC 6066).
  const servername = isIP(host) === 0 ? host : ''
  // The other host shares its workers among the clients of all hosts.
  const connection = connectWith(agent, maxOpen, (options) => {
    const sent = send({ ...options, host, port, servername, agent })
    // Another server may be reached on the next connection.
    sent.once('socket', (socket) => !sent.reusedSocket && socket.once('close', session.forget))
    // A host can be alive although its packets no longer arrive.
    sent.setTimeout(silentMs, () => sent.destroy(new Error(`the host at ${url} is silent`)))
    return sent
  })
  const session = createHostSession({
    url,
    keys,
    ask: async (headers) =>
      startOf(
        await connection.get('', '/', ['Host', authority, ...headers], greetingMs),
        greetingMs,
        maxGreetingBytes,
      ),
  })

  /** Rejects if the host does not accept the signature. */
  async function sendSigned(
    method: string,
    path: string,
    rawHeaders: readonly string[],
    sendWith: (headers: readonly string[]) => Promise<IncomingMessage>,
  ): Promise<IncomingMessage> {
    const headers: Record<string, string> = {}
    for (const [name, value] of fieldsOf(rawHeaders)) {
      const before = headers[name.toLowerCase()]
      headers[name.toLowerCase()] = before === undefined ? value : `${before}, ${value}`
    }
    const signed = { method, path, host: headers['host'], client: clientIn(headers) }
    const signAndSend = async () => {
      const sent = [...rawHeaders, ...(await session.sign(signed))]
      // The other host would close the connection.
      const size = sent.reduce((total, { length }) => total + length + separatorBytes, path.length)
      if (size + spareBytes > maxHeaderSize) throw new HeadersTooLarge()
      return sendWith(sent)
    }
    for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
      const response = await signAndSend()
      if (response.headers[hostHeader] === undefined) return response
      response.destroy()
      session.forget()
    }
    throw new Error(`the host at ${url} does not accept the request`)
  }

  return {
    id: session.id,
    get: (client, path, rawHeaders, maxMs, onUnneeded) =>
      sendSigned('GET', path, rawHeaders, (headers) =>
        connection.get(client, path, headers, maxMs, onUnneeded),
      ),
    forward: (client, response, rawHeaders, body) => {
      const { method = 'GET', url: path = '' } = response.req
      return sendSigned(method, path, rawHeaders, (headers) =>
        connection.forward(client, response, headers, body),
      )
    },
    close: connection.close,
  }
}

/** Reads a text. Cuts it off soon after a length, and rejects if it is sent more slowly. */
export async function startOf(
  response: IncomingMessage,
  maxMs: number,
  maxLength: number,
): Promise<string> {
  const timer = setTimeout(() => response.destroy(new Error('the host is too slow')), maxMs)
  let text = ''
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk
      // Leaving the loop closes the connection.
      if (text.length > maxLength) break
    }
  } finally {
    clearTimeout(timer)
  }
  return text
}
