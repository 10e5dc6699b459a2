import { parentPort } from 'node:worker_threads'
import '../../src/representations/rendering-worker.ts'

/* A rendering worker that reports which of Node's own modules it has loaded. */

const { moduleLoadList } = process as typeof process & { readonly moduleLoadList: string[] }

parentPort?.postMessage([...moduleLoadList])
