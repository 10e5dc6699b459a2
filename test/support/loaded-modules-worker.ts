import { parentPort } from 'node:worker_threads'
import '../../src/representations/rendering-worker.ts'

/* Rendering worker that reports which of Node's built-in modules it has loaded. */

const { moduleLoadList } = process as typeof process & { readonly moduleLoadList: string[] }

parentPort?.postMessage([...moduleLoadList])
