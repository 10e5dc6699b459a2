/**
 * Functions and classes of `node:http`. Importing that module reads all of its exports. One of them
 * is `WebSocket`, for which Node loads TLS and the code of `fetch`: about 2 MiB in each process.
 */
export const { Agent, createServer, IncomingMessage, maxHeaderSize, request, STATUS_CODES } =
  process.getBuiltinModule('node:http')
