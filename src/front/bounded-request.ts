import { IncomingMessage } from '../node-http.ts'

/** Maximum number of chunks of any length. Enough for a form that is sent in small parts. */
export const maxSmallChunks = 1_000

/** Minimum average length of the chunks if there are more. */
export const minChunkBytes = 256

/**
 * A request whose connection is closed if its body consists of very many small chunks. A few such
 * connections would keep the process busy, and a buffered chunk takes a hundred times its length in memory.
 */
export class BoundedRequest extends IncomingMessage {
  #chunks = 0
  #bytes = 0

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    this.#chunks += 1
    this.#bytes += chunk?.length ?? 0
    const isSmall = this.#bytes < this.#chunks * minChunkBytes
    if (!isSmall || this.#chunks <= maxSmallChunks) return super.push(chunk, encoding)
    this.socket.destroy()
    return false
  }
}
