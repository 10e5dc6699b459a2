import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { startStrippedWorker } from '../../src/representations/stripped-worker.ts'

const entry = pathToFileURL(resolve(import.meta.dirname, '../support/loaded-modules-worker.ts'))

/** Node's WebAssembly module for stripping types. */
const stripper = expect.stringContaining('deps/amaro')

beforeEach(() => {
  // The compile cache could contain code that is already stripped.
  vi.stubEnv('NODE_DISABLE_COMPILE_CACHE', '1')
  return () => void vi.unstubAllEnvs()
})

async function modulesLoadedBy(worker: Worker): Promise<unknown> {
  onTestFinished(async () => void (await worker.terminate()))
  const [modules] = await once(worker, 'message')
  return modules
}

test('does not strip types in the worker, and logs no warning', async () => {
  const warnings: Error[] = []
  const listen = (warning: Error) => warnings.push(warning)
  process.on('warning', listen)
  onTestFinished(() => void process.off('warning', listen))
  expect(await modulesLoadedBy(startStrippedWorker(entry))).not.toContainEqual(stripper)
  expect(warnings).toEqual([])
})

test('a plain Node worker does strip types', async () => {
  expect(await modulesLoadedBy(new Worker(entry))).toContainEqual(stripper)
})
