/*
 * What a worker thread runs first: it loads its entry module from the sources that it was given. This
 * file has no types, so that Node need not strip them in the thread.
 */
import { registerHooks } from 'node:module'
import { workerData } from 'node:worker_threads'

/** @type {import('./stripped-worker.ts').StrippedModules} */
const { entry, sources } = workerData

registerHooks({
  load(url, context, nextLoad) {
    const source = sources.get(url)
    if (source === undefined) return nextLoad(url, context)
    return { format: 'module', source, shortCircuit: true }
  },
})

await import(entry)
