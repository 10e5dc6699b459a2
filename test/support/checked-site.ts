import { onTestFinished } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts'
import { resultOf, run } from './command-line.ts'
import { settingsFor } from './sandbox.ts'
import { testDirectory } from './service.ts'

/** Starts a sandbox on the real clock, and returns a function that runs `check` on it. */
export async function siteOf(options: SandboxOptions = {}) {
  const directory = testDirectory()
  const certificateDirectory = `${directory}/certificates`
  const sandbox = await createSandbox({ certificateDirectory, ...options })
  onTestFinished(() => sandbox[Symbol.asyncDispose]())
  const settings = settingsFor(sandbox)
  const check = (changes: Record<string, string> = {}, ...args: readonly string[]) =>
    resultOf(run(directory, ['check', ...args], { ...settings, ...changes }))
  return { sandbox, check, settings, directory }
}
