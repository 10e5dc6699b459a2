/*
 * Entry point of a worker thread. Loads the entry module from the sources in `workerData`. Plain
 * JavaScript, so that Node does not strip types in the thread.
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
