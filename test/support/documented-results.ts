import { expect } from 'vitest'
import type { Step } from './documented-commands.ts'
import type { Shell } from './shell.ts'

/** Applies replacements to the commands of all steps, and runs the steps in order in one shell. */
export async function resultsOf(
  steps: readonly Step[],
  shell: Shell,
  changes: Readonly<Record<string, string>>,
) {
  const changed = (text: string) =>
    Object.entries(changes).reduce((result, [from, to]) => result.replaceAll(from, to), text)
  const results = await shell.run(steps.map(({ command }) => changed(command)))
  return results.map((result, index) => ({ ...result, command: steps[index]?.command }))
}

/** Matches results with exit status 0 and the expected output. */
export function expectedOf(steps: readonly Step[]) {
  return steps.map(({ command, prints }) => ({
    command,
    code: 0,
    out: expect.stringMatching(prints),
  }))
}
