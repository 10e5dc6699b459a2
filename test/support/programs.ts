import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

/** Directory with a wrapper for npm that installs the same packages only once. */
export const npmForTests = resolve(import.meta.dirname, 'bin')

/**
 * Condition for `skipIf`. Prints a note if a program is missing. Always false in CI, so that tests
 * fail there if the program is missing.
 */
export function programIsMissing(name: string, versionOption: string): boolean {
  if (process.env['CI'] !== undefined || spawnSync(name, [versionOption]).status === 0) return false
  process.stderr.write(`Tests with ${name} are skipped: install it.\n`)
  return true
}
