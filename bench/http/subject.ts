import type { LoadRequest } from '../load/load.ts'
import { fetchResponse, type TimedResponse } from '../running/response.ts'
import type { Server } from './servers.ts'

export const kinds = ['304', 'gzip GET'] as const
export type Kind = (typeof kinds)[number]

/** Request to one server and the response that it should send. */
export type Subject = {
  readonly server: Server
  readonly kind: Kind
  readonly request: LoadRequest
  /** Size of one response in bytes, including the status line and headers. */
  readonly wireBytes: number
  readonly coding: string
}

/** Creates the subjects. Rejects if a server sends an unexpected response. */
export async function createSubjects(
  servers: readonly Server[],
  events: number,
): Promise<readonly Subject[]> {
  const feedhouse = servers.find(({ name }) => name === 'feedhouse')
  const { decoded } = await fetchResponse(`${feedhouse?.url}${feedhouse?.path}`)
  const all = await Promise.all(
    servers.map(async (server) => {
      const url = `${server.url}${server.path}`
      const accepting = { 'Accept-Encoding': 'gzip' }
      const found = await fetchResponse(url, accepting)
      expectCalendar(server, found, server.isSameCalendar ? decoded : undefined, events)
      const notModified = await fetchResponse(url, { ...accepting, 'If-None-Match': found.etag })
      expect(
        server,
        notModified.status === 304 && notModified.body.length === 0,
        'does not send 304',
      )
      const { coding } = found
      return [
        subject('304', { server, coding, request: { url, ifNoneMatch: found.etag } }, notModified),
        subject('gzip GET', { server, coding, request: { url } }, found),
      ]
    }),
  )
  // Groups the requests by kind, so that servers are measured right after the servers they are
  // compared with.
  return kinds.flatMap((kind) => all.flat().filter((each) => each.kind === kind))
}

function subject(
  kind: Kind,
  target: Pick<Subject, 'server' | 'request' | 'coding'>,
  { wireBytes }: TimedResponse,
): Subject {
  return { ...target, kind, wireBytes }
}

function expectCalendar(
  server: Server,
  { status, coding, decoded }: TimedResponse,
  same: Buffer | undefined,
  events: number,
): void {
  const expectedCoding = ['express', 'render each time'].includes(server.name) ? 'identity' : 'gzip'
  const shown = decoded.toString().split('BEGIN:VEVENT').length - 1
  expect(server, status === 200, `sends ${status}`)
  expect(server, coding === expectedCoding, `sends ${coding} instead of ${expectedCoding}`)
  expect(server, shown === events, `has ${shown} events instead of ${events}`)
  expect(server, same === undefined || decoded.equals(same), 'sends another calendar')
}

function expect({ name }: Server, isMet: boolean, fault: string): void {
  if (!isMet) throw new Error(`${name} ${fault}.`)
}
