import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { frontLimits, runFront } from '../../src/app/front-process.ts'
import { createLogger } from '../../src/log.ts'
import { temporaryDirectory } from './service.ts'
import { waitUntil } from './wait-for.ts'

const program = join(import.meta.dirname, 'faulty-maker.ts')

/** Limits of a front in tests. */
export const limits = {
  ...frontLimits,
  reportMs: 20,
  staleAfterMs: 50,
  pingMs: 50,
  restart: { initialMs: 10, maxMs: 100 },
}

/** Runs a front with a maker that misbehaves on request. */
export async function startFront(port = '0', changes: Partial<typeof frontLimits> = {}) {
  const chosen = { ...limits, ...changes }
  const directory = temporaryDirectory()
  const urlFile = join(directory.path, 'url')
  const lines: string[] = []
  const stopping = Promise.withResolvers<'SIGINT' | 'SIGTERM'>()
  const exited = runFront({
    program,
    args: [urlFile, port],
    createLogger: () => createLogger('info', { write: (line) => lines.push(line) }),
    stopped: stopping.promise,
    limits: chosen,
  })
  onTestFinished(async () => {
    stopping.resolve('SIGINT')
    await exited
    directory[Symbol.dispose]()
  })
  await Promise.race([exited, waitUntil(() => existsSync(urlFile) && textIn(urlFile) !== '')])
  const url = existsSync(urlFile) ? textIn(urlFile) : ''
  return {
    url,
    lines,
    exited,
    /** Returns what the maker has written last. */
    written: () => textIn(urlFile),
    /** Sets when a silent maker is replaced. On a busy machine, makers are silent while they start. */
    setMaxSilence: (ms: number) => void (chosen.maxSilenceMs = ms),
    stop: () => stopping.resolve('SIGTERM'),
    /** Requests a path, and resolves to the status and body. */
    ask: async (path: string, init?: RequestInit) => {
      const response = await fetch(`${url}${path}`, init)
      return { status: response.status, text: await response.text(), headers: response.headers }
    },
  }
}

const textIn = (file: string) => readFileSync(file, 'utf8')
