import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts'
import { resultOf, run } from './command-line.ts'
import { settingsFor } from './sandbox.ts'
import { testDirectory } from './service.ts'

/** Starts a website on the real clock, and returns functions that run commands with settings for it. */
export async function startWebsite(options: SandboxOptions = {}) {
  const directory = testDirectory()
  const sandbox = await createSandbox({ ...options, dataDirectory: join(directory, 'sandbox') })
  let isUp = true
  const stop = async () => {
    if (isUp) await sandbox[Symbol.asyncDispose]()
    isUp = false
  }
  onTestFinished(stop)
  const settings = settingsFor(sandbox)
  const environment: Record<string, string> = { ...settings, PUBLIC_FEEDS: 'events,news,signup' }
  const command = (...args: readonly string[]) => resultOf(run(directory, args, environment))
  /** Runs `check` without optional settings other than these. */
  const check = (changes: Record<string, string> = {}, ...args: readonly string[]) =>
    resultOf(run(directory, ['check', ...args], { ...settings, ...changes }))
  return { directory, sandbox, settings, environment, command, check, stop }
}
