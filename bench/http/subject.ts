import type { LoadRequest } from '../load/load.ts'
import { answerOf, type Answer } from '../running/answer.ts'
import { path, type Server } from './servers.ts'

export const kinds = ['304', 'gzip GET'] as const
export type Kind = (typeof kinds)[number]

/** What is asked of a server, and what it answers. */
export type Subject = {
  readonly server: Server
  readonly kind: Kind
  readonly request: LoadRequest
  /** Of one answer, with its head. */
  readonly wireBytes: number
  readonly coding: string
}

/** Rejects when a server does not answer what it is said to. */
export async function subjectsOf(
  servers: readonly Server[],
  events: number,
): Promise<readonly Subject[]> {
  const feedhouse = servers.find(({ name }) => name === 'feedhouse')
  const { decoded } = await answerOf(`${feedhouse?.url}${path}`)
  const all = await Promise.all(
    servers.map(async (server) => {
      const url = `${server.url}${path}`
      const accepting = { 'Accept-Encoding': 'gzip' }
      const found = await answerOf(url, accepting)
      expectCalendar(server, found, server.isSameCalendar ? decoded : undefined, events)
      const notModified = await answerOf(url, { ...accepting, 'If-None-Match': found.etag })
      expect(server, notModified.status === 304 && notModified.body.length === 0, 'answers no 304')
      const { coding } = found
      return [
        subject('304', { server, coding, request: { url, ifNoneMatch: found.etag } }, notModified),
        subject('gzip GET', { server, coding, request: { url } }, found),
      ]
    }),
  )
  // What is compared is measured close together.
  return kinds.flatMap((kind) => all.flat().filter((each) => each.kind === kind))
}

function subject(
  kind: Kind,
  asked: Pick<Subject, 'server' | 'request' | 'coding'>,
  { wireBytes }: Answer,
): Subject {
  return { ...asked, kind, wireBytes }
}

function expectCalendar(
  server: Server,
  { status, coding, decoded }: Answer,
  same: Buffer | undefined,
  events: number,
): void {
  const expectedCoding = ['express', 'render each time'].includes(server.name) ? 'identity' : 'gzip'
  const shown = decoded.toString().split('BEGIN:VEVENT').length - 1
  expect(server, status === 200, `answers ${status}`)
  expect(server, coding === expectedCoding, `answers ${coding} instead of ${expectedCoding}`)
  expect(server, shown === events, `shows ${shown} events instead of ${events}`)
  expect(server, same === undefined || decoded.equals(same), 'answers another calendar')
}

function expect({ name }: Server, isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(`${name} ${otherwise}.`)
}
