import { EventEmitter } from 'node:events'
import { createFront } from '../../src/app/front.ts'
import { frontLimits } from '../../src/app/front-process.ts'
import { openWorkerServer } from '../../src/app/worker-server.ts'
import type { ServiceOptions } from '../../src/app/hosting.ts'
import { timesOf } from '../../src/http/front/response-cache.ts'
import type { ToWorker } from '../../src/http/front/protocol.ts'
import { createLogger } from '../../src/log.ts'
import { temporaryDirectory } from './service.ts'

/** How often the uses of cached responses are reported. */
const reportMs = 20

/** Opens a server with the front's half of the service in this process. */
export const openFrontedServer: NonNullable<ServiceOptions['openServer']> = async (
  address,
  tools,
) => {
  const directory = temporaryDirectory()
  const messages = new EventEmitter<{ message: [ToWorker] }>()
  const front = createFront({
    directory: directory.path,
    createLogger: () => createLogger('silent'),
    limits: frontLimits.responseTimes,
    clock: tools.clock,
    times: timesOf(tools.clock),
  })
  const worker = front.worker(0)
  worker.connect((message) => void messages.emit('message', message), [])
  const channel = { index: 0, send: worker.receive, messages }
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
