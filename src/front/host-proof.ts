import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { clientHeader, hostHeader } from './protocol.ts'

/*
 * Hosts prove to each other that they have the same key, without sending it. A host first sends a
 * challenge. The response contains a ticket and, for each valid key, a proof that includes the URL of
 * the host that gives it, so that no other server can pass it on as its own. With the ticket and a key
 * that both hosts have, the first host then signs its requests.
 */

/** How long a host accepts requests with a ticket. */
export const ticketMs = 10 * 60_000

/** How long a host uses a ticket, unless a connection to the other host has been closed. */
const sessionMs = ticketMs / 2

/** Request header with the addresses of the client and of all proxies but the last one. */
const forwardedHeader = 'x-forwarded-for'

/** Headers of responses to requests with an invalid ticket or signature. */
export const unprovenHeaders = { [hostHeader]: 'unproven' }

type Greeting = { readonly id: string; readonly ticket: string; readonly proofs: readonly string[] }

export type HostGate = {
  readonly greet: (challenge: string) => Greeting
  /** Returns true for a request from a host with one of the keys. */
  readonly isSigned: (request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>) => boolean
}

/** Valid keys, the current one first. */
export type HostKeys = () => readonly string[]

/**
 * Returns the challenge in the header of a greeting, or undefined for other requests. Hosts reach
 * each other directly. Otherwise, anyone who receives challenges at a host's wrong URL could
 * forward them through the proxy.
 */
export function challengeIn(headers: IncomingHttpHeaders): string | undefined {
  if (forwardedHeader in headers) return undefined
  return /^[\w-]{43}$/.exec(String(headers[hostHeader]))?.[0]
}

/** Answers greetings, and checks the signatures of requests from other hosts. */
export function createHostGate(host: {
  readonly id: string
  /** URL at which the other hosts reach this one. */
  readonly url: string
  readonly keys: HostKeys
  /** Returns milliseconds on a clock that never jumps. */
  readonly elapsed: () => number
}): HostGate {
  const { id, url, keys, elapsed } = host
  const secret = randomBytes(32).toString('base64url')
  const ticketFor = (challenge: string, at: number) =>
    [challenge, at, macOf(secret, challenge, String(at))].join('.')
  return {
    greet(challenge) {
      const ticket = ticketFor(challenge, Math.floor(elapsed()))
      return { id, ticket, proofs: keys().map((key) => proofOf(key, { id, ticket, url })) }
    },
    isSigned({ method = '', url: path = '', headers }) {
      const [challenge = '', at = '', mac = '', signature = ''] = String(headers[hostHeader]).split(
        '.',
      )
      const ticket = [challenge, at, mac].join('.')
      const isOwn = isEqual(ticket, ticketFor(challenge, Number(at)))
      if (!isOwn || elapsed() - Number(at) >= ticketMs) return false
      const signed = { method, path, host: headers.host, client: clientIn(headers) }
      return keys().some((key) => isEqual(signature, signatureOf(key, ticket, signed)))
    },
  }
}

/** Parts of a request that its signature covers. */
export type Signed = {
  readonly method: string
  readonly path: string
  readonly host: string | undefined
  /** All addresses of the client and of proxies. Undefined for a request without a client. */
  readonly client: string | undefined
}

/** Returns the addresses in the headers of a request. */
export function clientIn(headers: IncomingHttpHeaders): string | undefined {
  const addresses = [headers[forwardedHeader], headers[clientHeader]].flat()
  return headers[clientHeader] === undefined ? undefined : addresses.join(', ')
}

export type HostSession = {
  /** Resolves to headers that sign a request. Rejects if the other host can't prove that it has a key. */
  readonly sign: (signed: Signed) => Promise<readonly string[]>
  /** Resolves to the id of the other host. Rejects if it can't prove that it has a key. */
  readonly id: () => Promise<string>
  /** Greets the other host again before the next request. */
  readonly forget: () => void
}

/** A host that has proved to have a key. */
type Proven = { readonly id: string; readonly ticket: string; readonly key: string }

/** The server at a host's URL is not a host with the same key. */
class UnprovenHost extends Error {
  override readonly name = 'UnprovenHost'
  override readonly message = 'another server responds there'
}

/** Greets the host at a URL, and signs requests to it. */
export function createHostSession(options: {
  readonly url: string
  readonly keys: HostKeys
  /** Sends headers to the host. Resolves to the text of its response. */
  readonly ask: (headers: readonly string[]) => Promise<string>
  readonly elapsed?: () => number
}): HostSession {
  const { url, keys, ask, elapsed = () => performance.now() } = options
  let session: { readonly proven: Promise<Proven>; readonly endsAt: number } | undefined

  async function greet(): Promise<Proven> {
    const challenge = randomBytes(32).toString('base64url')
    const answer = await ask([hostHeader, challenge]).catch((error: unknown) => {
      throw isHttpError(error) ? new UnprovenHost() : error
    })
    const greeting = readGreeting(answer)
    if (!greeting?.ticket.startsWith(`${challenge}.`)) throw new UnprovenHost()
    const { id, ticket, proofs } = greeting
    const key = keys().find((each) => proofs.includes(proofOf(each, { id, ticket, url })))
    if (key === undefined) throw new UnprovenHost()
    return { id, ticket, key }
  }

  function proven(): Promise<Proven> {
    if (session && elapsed() < session.endsAt) return session.proven
    const begun = { proven: greet(), endsAt: elapsed() + sessionMs }
    session = begun
    begun.proven.catch(() => {
      if (session === begun) session = undefined
    })
    return begun.proven
  }

  return {
    id: async () => (await proven()).id,
    async sign(signed) {
      const { ticket, key } = await proven()
      return [hostHeader, `${ticket}.${signatureOf(key, ticket, signed)}`]
    },
    forget: () => (session = undefined),
  }
}

/** Returns true if a response is not valid HTTP, or has very long headers. */
const isHttpError = (error: unknown) =>
  String((error as NodeJS.ErrnoException).code).startsWith('HPE_')

/** Returns undefined for the response of another kind of server. */
function readGreeting(text: string): Greeting | undefined {
  try {
    const { id, ticket, proofs } = JSON.parse(text) as Greeting
    const texts: readonly unknown[] = [id, ticket, ...proofs]
    return texts.every((each) => typeof each === 'string') ? { id, ticket, proofs } : undefined
  } catch {
    return undefined
  }
}

function proofOf(
  key: string,
  { id, ticket, url }: { readonly id: string; readonly ticket: string; readonly url: string },
): string {
  return macOf(key, 'host', ticket, id, url)
}

function signatureOf(key: string, ticket: string, signed: Signed): string {
  const { method, path, host = null, client = null } = signed
  return macOf(key, 'request', ticket, method, path, host, client)
}

function macOf(key: string, ...parts: readonly (string | null)[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url')
}

function isEqual(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)]
  return first.length === second.length && timingSafeEqual(first, second)
}
