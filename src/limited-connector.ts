import { subscribe } from 'node:diagnostics_channel'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import type { Agent as UndiciAgent, buildConnector } from 'undici'

const require = createRequire(import.meta.url)

/*
 * undici's main file also loads `fetch`, WebSockets, caches and mocks, which take 4 MiB and are never
 * used. Otherwise, it only adds methods such as `request` to its dispatchers.
 */
const build = require('undici/lib/core/connect.js') as typeof buildConnector
const dispatcher = require('undici/lib/dispatcher/dispatcher.js') as { readonly prototype: object }
Object.assign(dispatcher.prototype, { request: require('undici/lib/api/api-request.js') })

/** Of the methods that send requests, it only has `dispatch` and `request`. */
export const Agent = require('undici/lib/dispatcher/agent.js') as typeof UndiciAgent

/** Bytes that each connection had received when its latest request was sent. */
const receivedBefore = new WeakMap<Socket, number>()

subscribe('undici:client:sendHeaders', (message) => {
  const { socket } = message as { readonly socket: Socket }
  receivedBefore.set(socket, socket.bytesRead)
})

/**
 * Returns a connector that closes a connection when a response takes more than `maxBytes`, including
 * headers, trailers and extensions of chunks. undici does not limit the last two, and keeps all
 * received bytes of a body in memory.
 */
export function limitedConnector(
  options: buildConnector.BuildOptions,
  maxBytes: number,
): buildConnector.connector {
  const connect = build(options)
  return (target, callback) =>
    connect(target, (...result) => {
      const [, socket] = result
      socket?.on('readable', () => {
        if (socket.bytesRead - (receivedBefore.get(socket) ?? 0) <= maxBytes) return
        socket.destroy(new Error('The response is too large'))
      })
      callback(...result)
    })
}
