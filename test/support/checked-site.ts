import { readFileSync } from 'node:fs'
import { Agent } from 'undici'
import { onTestFinished } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts'
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

export function agentFor({ caFile }: Sandbox): Agent {
  const agent = new Agent({ connect: { ca: readFileSync(caFile) } })
  onTestFinished(() => agent.destroy())
  return agent
}
