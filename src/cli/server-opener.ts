import { openWorkerServer } from '../app/worker-server.ts'
import { openWebServer } from '../app/web-server.ts'
import type { CommandContext } from './command.ts'

/** Returns the function that opens the server, in the front process if there is one. */
export function serverOpener({ front }: CommandContext): typeof openWebServer {
  return front ? (address, tools) => openWorkerServer(front, address, tools) : openWebServer
}
