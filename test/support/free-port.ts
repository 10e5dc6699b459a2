import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Systems assign higher ports to servers that ask for any, which could then be one of these. */
const [lowest, highest] = [10_000, 32_000]

/** Returns a port that is currently unused, and that no other server gets by chance. */
export async function freePort(): Promise<number> {
  const port = randomInt(lowest, highest)
  const server = createServer().listen(port, '127.0.0.1')
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (!isFree) return freePort()
  const closed = once(server, 'close')
  server.close()
  await closed
  return port
}
