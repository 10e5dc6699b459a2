import { EventEmitter } from 'node:events'
import { createFront } from '../../src/hosting/front.ts'
import { frontLimits } from '../../src/hosting/front-process.ts'
import { openWorkerServer } from '../../src/hosting/worker-server.ts'
import type { OpenServer } from '../../src/hosting/web-server.ts'
import type { Times } from '../../src/front/cached-response.ts'
import { callsEmittedBy, type WorkerEvents } from '../../src/front/protocol.ts'
import { createLogger } from '../../src/log.ts'
import { timesOf } from './fake-clock.ts'
import { temporaryDirectory } from './service.ts'

/** How often the uses of cached responses are reported. */
const reportMs = 20

/** Opens a server with the front's half of the service in this process. */
export const openFrontedServer: OpenServer = (address, tools) =>
  openFrontedServerAt(timesOf(tools.clock), address, tools)

/** The same, with a clock that jumps and one that does not. */
export async function openFrontedServerAt(
  times: Times,
  ...[address, tools]: Parameters<OpenServer>
): ReturnType<OpenServer> {
  const directory = temporaryDirectory()
  const events: WorkerEvents = new EventEmitter()
  const front = createFront({
    directory: directory.path,
    createLogger: () => createLogger('silent'),
    limits: frontLimits.responseTimes,
    clock: tools.clock,
    times,
  })
  const worker = front.worker(0)
  worker.connect(callsEmittedBy(events), [])
  const channel = { index: 0, front: worker.calls, events }
  const server = await openWorkerServer(channel, address, tools)
  const reporting = setInterval(worker.report, reportMs)
  return {
    ...server,
    answer(...listeners) {
      const answering = server.answer(...listeners)
      return {
        async [Symbol.asyncDispose]() {
          front.stop('SIGTERM')
          await answering[Symbol.asyncDispose]()
        },
      }
    },
    async [Symbol.asyncDispose]() {
      clearInterval(reporting)
      await server[Symbol.asyncDispose]()
      await front[Symbol.asyncDispose]()
      directory[Symbol.dispose]()
    },
  }
}
