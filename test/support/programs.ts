import { accessSync, constants, readFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

/** Directory with a wrapper for npm that installs the same packages only once. */
export const npmForTests = resolve(import.meta.dirname, 'bin')

const list = resolve(import.meta.dirname, '../../.ci/programs')

/** Names of the programs that CI installs for the tests. */
export const installedPrograms: readonly string[] = readFileSync(list, 'utf8')
  .split('\n')
  .flatMap((line) => /^[^\s#]\S*/.exec(line) ?? [])

/** Returns the path of a program, or of one that can replace it. Undefined if none is installed. */
export function programPath(name: string, ...replacements: readonly string[]): string | undefined {
  if (!installedPrograms.includes(name)) throw new Error(`${name} is not listed in .ci/programs`)
  const directories = (process.env['PATH'] ?? '').split(delimiter)
  return [name, ...replacements]
    .flatMap((each) => directories.map((directory) => join(directory, each)))
    .find(isExecutable)
}

/** Condition for `skipIf`. Prints a note if a program is missing. In CI, throws instead. */
export function programIsMissing(name: string): boolean {
  if (programPath(name) !== undefined) return false
  if (process.env['CI'] !== undefined) throw new Error(`CI needs ${name}`)
  process.stderr.write(`Tests with ${name} are skipped: install it.\n`)
  return true
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
