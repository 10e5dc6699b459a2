import type { IncomingMessage, RequestListener } from 'node:http'
import { challengeIn, createHostGate, unprovenHeaders } from '../../src/front/host-proof.ts'
import { ok, startHttpServer } from './http-server.ts'

/** Starts a server with a host's keys, and possibly a wrong URL. It passes signed requests on. */
export async function startHost(keys: readonly string[], wrongUrl?: string) {
  const received: IncomingMessage[] = []
  let serve = ok
  const url = await startHttpServer((request, response) => {
    received.push(request)
    const challenge = challengeIn(request.headers)
    if (challenge !== undefined) return void response.end(JSON.stringify(gate.greet(challenge)))
    if (gate.isSigned(request)) return serve(request, response)
    response.writeHead(503, unprovenHeaders).end()
  })
  const own = { id: 'host', url: wrongUrl ?? url, keys: () => keys, elapsed: () => 0 }
  const createGate = () => createHostGate(own)
  let gate = createGate()
  return {
    url,
    /** Everything that the server has received. */
    received,
    serve: (listener: RequestListener) => void (serve = listener),
    /** The next process does not know earlier tickets. */
    restart: () => void (gate = createGate()),
  }
}
