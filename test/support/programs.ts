import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

/** A directory with an npm that installs the same packages only once. */
export const npmForTests = resolve(import.meta.dirname, 'bin')

/** For `skipIf`: returns true if a program is missing, after printing a note. CI fails without it. */
export function programIsMissing(name: string, versionOption: string): boolean {
  if (process.env['CI'] !== undefined || spawnSync(name, [versionOption]).status === 0) return false
  process.stderr.write(`Tests with ${name} are skipped: install it.\n`)
  return true
}
