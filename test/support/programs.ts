import { spawnSync } from 'node:child_process'

/** For `skipIf`: a program is not here, which is told. CI says it has all of them, and fails without. */
export function programIsMissing(name: string, versionOption: string): boolean {
  if (process.env['CI'] !== undefined || spawnSync(name, [versionOption]).status === 0) return false
  process.stderr.write(`Tests with ${name} are skipped: install it.\n`)
  return true
}
