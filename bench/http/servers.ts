import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answerOf, type Answer } from '../running/answer.ts'
import { startProcess } from '../running/child-process.ts'
import type { DatasetEvent } from '../running/dataset.ts'
import { startService } from '../running/service.ts'
import { temporaryDirectory } from '../running/temporary-directory.ts'
import type { RawAnswer } from './raw-server.ts'
import { nginxVersion, startNginx } from './nginx.ts'

export const path = '/events.ics'

export type Server = {
  readonly name: string
  readonly url: string
  readonly pid: number
  /** Whether its calendar is the service's, to the byte. */
  readonly isSameCalendar: boolean
}

/** Headers that Node adds by itself. */
const ownHeaders = ['date', 'connection', 'keep-alive']

/** Feedhouse, and all the others with what it answers. They end with the stack. */
export async function startServers(
  events: readonly DatasetEvent[],
  running: AsyncDisposableStack,
): Promise<readonly Server[]> {
  const service = running.use(await startService(events))
  const directory = temporaryDirectory()
  const answers = await answersOf(`${service.url}${path}`)
  const [gzip, identity] = answers
  writeFileSync(join(directory, 'events.ics'), identity.body)
  writeFileSync(join(directory, 'events.ics.gz'), gzip.body)
  writeFileSync(join(directory, 'events.json'), JSON.stringify(events))
  writeFileSync(join(directory, 'answers.json'), JSON.stringify(answers.map(rawAnswerFrom)))

  async function startOwn(name: string, file: string, ...args: readonly string[]): Promise<Server> {
    const script = join(import.meta.dirname, file)
    const server = running.use(
      startProcess(process.execPath, [script, directory, ...args], { cwd: directory }),
    )
    const [url] = await server.printed(/^http:.*$/m)
    return { name, url, pid: server.pid, isSameCalendar: name !== 'render each time' }
  }

  return [
    await startOwn('raw', 'raw-server.ts'),
    { name: 'feedhouse', url: service.url, pid: service.pid, isSameCalendar: true },
    ...(nginxVersion()
      ? [{ ...(await startNginx(directory, running)), isSameCalendar: true }]
      : []),
    await startOwn('express', 'express-server.ts', 'plain'),
    await startOwn('express+compression', 'express-server.ts', 'compression'),
    await startOwn('render each time', 'express-server.ts', 'render'),
  ]
}

type Answers = { readonly found: Answer; readonly notModified: Answer; readonly body: Buffer }

async function answersOf(url: string): Promise<readonly [Answers, Answers]> {
  const answersIn = async (coding: string): Promise<Answers> => {
    const accepting = { 'Accept-Encoding': coding }
    const found = await answerOf(url, accepting)
    const notModified = await answerOf(url, { ...accepting, 'If-None-Match': found.etag })
    return { found, notModified, body: found.body }
  }
  return [await answersIn('gzip'), await answersIn('identity')]
}

function rawAnswerFrom({ found, notModified, body }: Answers): RawAnswer {
  return {
    coding: found.coding,
    etag: found.etag,
    foundHeaders: headersToSend(found),
    notModifiedHeaders: headersToSend(notModified),
    bodyBase64: body.toString('base64'),
  }
}

function headersToSend({ rawHeaders }: Answer): readonly string[] {
  return rawHeaders.filter((_, index) => {
    const name = rawHeaders[index - (index % 2)] ?? ''
    return !ownHeaders.includes(name.toLowerCase())
  })
}
