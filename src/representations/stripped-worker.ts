import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

export type StrippedModules = {
  /** URL of the entry module. */
  readonly entry: string
  /** JavaScript by URL. */
  readonly sources: ReadonlyMap<string, string>
}

const ownImports = /^(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"](\.[^'"]+\.ts)['"]/gm

const known = new Map<string, StrippedModules>()

/**
 * Starts a worker thread from a TypeScript module. Strips the types from the module and its imports
 * on the calling thread. In the worker, Node would use WebAssembly for this, which takes 10 MiB per
 * thread and has crashed processes with several threads.
 */
export function startStrippedWorker(entry: URL): Worker {
  const modules = known.get(entry.href) ?? strippedModulesOf(entry)
  known.set(entry.href, modules)
  const start = join(import.meta.dirname, 'stripped-worker-start.js')
  return new Worker(start, { workerData: modules })
}

function strippedModulesOf(entry: URL): StrippedModules {
  const sources = new Map<string, string>()
  const add = (url: URL) => {
    if (sources.has(url.href)) return
    const source = stripTypeScriptTypes(readFileSync(url, 'utf8'))
    sources.set(url.href, source)
    for (const [, specifier = ''] of source.matchAll(ownImports)) add(new URL(specifier, url))
  }
  withoutWarnings(() => add(entry))
  return { entry: entry.href, sources }
}

/** Suppresses Node's warning that `stripTypeScriptTypes` is experimental. */
function withoutWarnings(work: () => void): void {
  const emitWarning: unknown = Reflect.get(process, 'emitWarning')
  process.emitWarning = () => undefined
  try {
    work()
  } finally {
    Reflect.set(process, 'emitWarning', emitWarning)
  }
}
