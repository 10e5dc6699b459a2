import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import { clientAddress } from '../../src/front/client-address.ts'
import { listen, serverLimits } from '../../src/front/server.ts'
import { createLogger } from '../../src/log.ts'
import { createFakeClock } from './fake-clock.ts'
import { listenLocally } from './local-server.ts'

/** Starts a plain HTTP server for the rest of the test. Resolves to its URL. */
export async function startHttpServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  const port = await listenLocally(server)
  onTestFinished(() => server.closeAllConnections())
  return `http://127.0.0.1:${port}`
}

/** Starts a server with a request listener and limits. `X-Forwarded-For` sets the client's address. */
export async function serverOf(
  listener: RequestListener,
  limits: Partial<typeof serverLimits> = {},
) {
  const clock = createFakeClock()
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => lines.push(line) })
  const server = await listen('127.0.0.1', 0, { clock, log }, { ...serverLimits, ...limits })
  const { inFlight, rejections } = server
  const answering = server.answer((request, response) => {
    const isAdmitted = inFlight.admit(request, response, clientAddress(request, 1))
    if (isAdmitted) listener(request, response)
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const url = `http://127.0.0.1:${server.port}`
  const refused = () => lines.map((line) => JSON.parse(line) as { readonly reason: string })
  return { server, answering, clock, url, refused, rejections }
}

export const ok: RequestListener = (_request, response) => void response.end('ok')

/** Opens a connection. `closed` resolves when it ends, even after an error. */
export async function connectTo(
  url: string,
  { allowHalfOpen = false, localAddress = '127.0.0.1' } = {},
) {
  const port = Number(new URL(url).port)
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen, localAddress })
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
  })
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  return { socket, closed }
}
