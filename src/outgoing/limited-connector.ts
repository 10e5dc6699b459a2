import { subscribe } from 'node:diagnostics_channel'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import type { Agent as UndiciAgent, buildConnector, Client as UndiciClient } from 'undici'

const require = createRequire(import.meta.url)

/*
 * undici's main file also loads `fetch`, WebSockets, caches and mocks, which take 4 MiB and are never
 * used. Apart from that, it only adds methods such as `request` to its dispatchers.
 */
const build = require('undici/lib/core/connect.js') as typeof buildConnector

/** undici's agent, whose only method that sends requests is `dispatch`. */
export const Agent = require('undici/lib/dispatcher/agent.js') as typeof UndiciAgent

/** undici's connection to one origin, with the same method. */
export const Client = require('undici/lib/dispatcher/client.js') as typeof UndiciClient

/** Bytes that each connection had received when its latest request was sent. */
const receivedBefore = new WeakMap<Socket, number>()

subscribe('undici:client:sendHeaders', (message) => {
  const { socket } = message as { readonly socket: Socket }
  receivedBefore.set(socket, socket.bytesRead)
})

/**
 * Returns a connector that closes a connection when a response takes more than `maxBytes`, including
 * headers, trailers and extensions of chunks. undici does not limit the last two, and keeps all
 * received bytes of a body in memory. With `caPem`, it also trusts that certificate authority.
 */
export function limitedConnector(
  { caPem, ...options }: buildConnector.BuildOptions & { readonly caPem?: string | undefined },
  maxBytes: number,
): buildConnector.connector {
  let connect: buildConnector.connector | undefined
  return (target, callback) => {
    // Parsing all certificates would delay a start that needs no connection.
    connect ??= build({
      ...options,
      ...(caPem !== undefined && { secureContext: contextTrusting(caPem) }),
    })
    return connect(target, (...result) => {
      const [, socket] = result
      socket?.on('readable', () => {
        if (socket.bytesRead - (receivedBefore.get(socket) ?? 0) <= maxBytes) return
        socket.destroy(new Error('The response is too large'))
      })
      callback(...result)
    })
  }
}

let latest: { readonly caPem: string; readonly secureContext: SecureContext } | undefined

/**
 * Returns a TLS context that also trusts a certificate authority. All connections to a site share it,
 * because it takes time to parse all certificates, and memory outside the heap to keep them.
 */
function contextTrusting(caPem: string): SecureContext {
  if (latest?.caPem !== caPem) {
    const ca = [...getCACertificates('default'), caPem]
    latest = { caPem, secureContext: createSecureContext({ ca }) }
  }
  return latest.secureContext
}
