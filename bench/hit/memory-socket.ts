import type { Server } from 'node:http'
import { Duplex } from 'node:stream'

/** In-memory socket. Like a real one, it usually sends everything at once. */
class MemorySocket extends Duplex {
  onSent: (bytes: number) => void = () => undefined

  override _read(): void {}

  override _write(chunk: Buffer | string, _encoding: BufferEncoding, done: () => void): void {
    this.onSent(chunk.length)
    done()
  }

  override _writev(chunks: { readonly chunk: Buffer | string }[], done: () => void): void {
    this.onSent(chunks.reduce((sum, { chunk }) => sum + chunk.length, 0))
    done()
  }
}

/** Opens a connection to a server. Returns a function that sends the same request many times in sequence. */
export function openConnection(server: Server) {
  const socket = new MemorySocket({ decodeStrings: false })
  server.emit('connection', socket)

  /** Resolves once a response has been sent completely, `times` times. */
  async function exchange(request: Buffer, times: number, length: number): Promise<void> {
    const done = Promise.withResolvers<void>()
    let [left, missing] = [times, length]
    socket.onSent = (bytes) => {
      missing -= bytes
      if (missing > 0) return
      left -= 1
      missing = length
      if (left === 0) done.resolve()
      else setImmediate(() => socket.push(request))
    }
    socket.push(request)
    await done.promise
  }

  async function lengthOf(request: Buffer): Promise<number> {
    let length = 0
    socket.onSent = (bytes) => (length += bytes)
    socket.push(request)
    await new Promise((resolve) => setTimeout(resolve, 50))
    return length
  }

  /** Returns the processor time for each response, in microseconds. */
  return async (request: Buffer, times: number): Promise<number> => {
    const length = await lengthOf(request)
    const before = process.threadCpuUsage()
    await exchange(request, times, length)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / times
  }
}
