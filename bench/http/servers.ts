import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetchResponse, type TimedResponse } from '../running/response.ts'
import { startProcess } from '../running/child-process.ts'
import type { DatasetEvent } from '../running/dataset.ts'
import { startService } from '../running/service.ts'
import { temporaryDirectory } from '../running/temporary-directory.ts'
import type { StoredResponse } from './raw-server.ts'
import { nginxVersion, startNginx } from './nginx.ts'

const path = '/events.ics'

export type Server = {
  readonly name: string
  readonly url: string
  readonly pid: number
  /** Path of the calendar. */
  readonly path: string
  /** True if the server's calendar must match the service's byte for byte. */
  readonly isSameCalendar: boolean
}

/** Headers that Node adds to every response. */
const ownHeaders = ['date', 'connection', 'keep-alive']

/**
 * Starts Feedhouse, and then the other servers with Feedhouse's responses. All servers stop when
 * the stack is disposed.
 */
export async function startServers(
  events: readonly DatasetEvent[],
  running: AsyncDisposableStack,
  only?: readonly string[],
): Promise<readonly Server[]> {
  const service = running.use(await startService(events))
  const directory = temporaryDirectory()
  const responses = await responsesFrom(`${service.url}${path}`)
  const [gzip, identity] = responses
  writeFileSync(join(directory, 'events.ics'), identity.body)
  writeFileSync(join(directory, 'events.ics.gz'), gzip.body)
  writeFileSync(join(directory, 'events.json'), JSON.stringify(events))
  writeFileSync(
    join(directory, 'responses.json'),
    JSON.stringify(responses.map(storedResponseFrom)),
  )

  async function startScript(
    name: string,
    file: string,
    ...args: readonly string[]
  ): Promise<Server> {
    const script = join(import.meta.dirname, file)
    const server = running.use(
      startProcess(process.execPath, [script, directory, ...args], { cwd: directory }),
    )
    const [url] = await server.waitForOutput(/^http:.*$/m)
    return { name, url, pid: server.pid, path, isSameCalendar: name !== 'render each time' }
  }

  const own = { url: service.url, pid: service.pid }
  const starts: Readonly<Record<string, () => Server | Promise<Server>>> = {
    raw: () => startScript('raw', 'raw-server.ts'),
    feedhouse: () => ({ name: 'feedhouse', ...own, path, isSameCalendar: true }),
    'feedhouse combined': () => ({
      name: 'feedhouse combined',
      ...own,
      path: '/all.ics',
      isSameCalendar: false,
    }),
    ...(nginxVersion() && {
      nginx: async () => ({
        ...(await startNginx(directory, running)),
        path,
        isSameCalendar: true,
      }),
    }),
    express: () => startScript('express', 'express-server.ts', 'plain'),
    'express+compression': () =>
      startScript('express+compression', 'express-server.ts', 'compression'),
    'render each time': () => startScript('render each time', 'express-server.ts', 'render'),
  }
  const servers: Server[] = []
  for (const [name, start] of Object.entries(starts)) {
    if (only?.includes(name) ?? true) servers.push(await start())
  }
  return servers
}

type ResponsePair = {
  readonly found: TimedResponse
  readonly notModified: TimedResponse
  readonly body: Buffer
}

async function responsesFrom(url: string): Promise<readonly [ResponsePair, ResponsePair]> {
  const responsesIn = async (coding: string): Promise<ResponsePair> => {
    const accepting = { 'Accept-Encoding': coding }
    const found = await fetchResponse(url, accepting)
    const notModified = await fetchResponse(url, { ...accepting, 'If-None-Match': found.etag })
    return { found, notModified, body: found.body }
  }
  return [await responsesIn('gzip'), await responsesIn('identity')]
}

function storedResponseFrom({ found, notModified, body }: ResponsePair): StoredResponse {
  return {
    coding: found.coding,
    etag: found.etag,
    foundHeaders: headersToSend(found),
    notModifiedHeaders: headersToSend(notModified),
    bodyBase64: body.toString('base64'),
  }
}

function headersToSend({ rawHeaders }: TimedResponse): readonly string[] {
  return rawHeaders.filter((_, index) => {
    const name = rawHeaders[index - (index % 2)] ?? ''
    return !ownHeaders.includes(name.toLowerCase())
  })
}
