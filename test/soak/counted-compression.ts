/*
 * Counts compression as work of the service. Import it before modules of `src`, which use the functions
 * that `node:zlib` has when they are loaded.
 */
import { syncBuiltinESMExports } from 'node:module'
import zlib from 'node:zlib'
import { createWorkCounter } from '../support/work-counter.ts'

export const work = createWorkCounter()

/** Compresses bytes in the thread pool, and passes the result to the last argument. */
type Compress = (...args: readonly unknown[]) => void

function counted(compress: Compress): Compress {
  return (...args) => {
    const callback = args.at(-1) as Compress
    work.started()
    compress(...args.slice(0, -1), (...result: readonly unknown[]) => {
      work.finished()
      callback(...result)
    })
  }
}

const { gzip, brotliCompress } = zlib as unknown as Record<string, Compress>
Object.assign(zlib, {
  gzip: counted(gzip as Compress),
  brotliCompress: counted(brotliCompress as Compress),
})
syncBuiltinESMExports()
