import {
  accessSync,
  constants,
  existsSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { parseEnv } from 'node:util'
import { moveIntoPlace } from '../store/private-files.ts'
import { ConfigError } from './config-error.ts'
import { readEnvFile } from './env-file.ts'

/** Permission bits of other users. */
const others = 0o007

const newFileMode = 0o600

const quotes = [`'`, '"', '`']

/** Returns the path of the file to write, following symbolic links. */
export function writtenPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}

/** Returns a fault if a file cannot be created or replaced, or undefined if it can. */
export function writeFault(path: string): string | undefined {
  try {
    accessSync(dirname(path), constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return faultOf(path, error)
  }
}

/**
 * Changes settings in a file, and keeps all other lines. An empty value unsets a setting. Throws a
 * `ConfigError` if the file cannot be written.
 */
export function changeSettings(path: string, changes: Readonly<Record<string, string>>): void {
  const before = readEnvFile(path)
  const text = withSettings(before, changes)
  const read = parseEnv(text)
  for (const [name, value] of Object.entries({ ...parseEnv(before), ...changes })) {
    if ((read[name] ?? '') === value) continue
    throw new ConfigError([`${name} cannot be written to ${path}. Edit the file instead.`])
  }
  replaceFile(path, text)
}

/** Replaces a file, or creates one that only this user can read. Throws a `ConfigError`. */
export function replaceFile(path: string, text: string): void {
  try {
    const target = writtenPath(path)
    const mode = existsSync(target) ? statSync(target).mode & 0o777 & ~others : newFileMode
    const part = `${target}.part`
    rmSync(part, { force: true })
    writeFileSync(part, text, { mode, flag: 'wx' })
    moveIntoPlace(part, target)
  } catch (error) {
    throw new ConfigError([faultOf(path, error)])
  }
}

function withSettings(text: string, changes: Readonly<Record<string, string>>): string {
  let changed = text === '' || text.endsWith('\n') ? text : `${text}\n`
  for (const [name, value] of Object.entries(changes)) {
    const line = `${name}=${quoted(value)}`
    const set = new RegExp(
      `^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=[ \\t]*(?:(["'\`])[^]*?\\1[^\\n]*|[^\\n]*)$`,
      'gm',
    )
    if (set.test(changed)) changed = changed.replace(set, () => line)
    else if (value !== '') changed += `${line}\n`
  }
  return changed
}

function quoted(value: string): string {
  if (/^[\w.:/@,+=-]*$/.test(value)) return value
  const quote = quotes.find((each) => !value.includes(each)) ?? ''
  return `${quote}${value}${quote}`
}

function faultOf(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  const user = process.getuid?.()
  return `${path} cannot be written (${code}). Let the user with id ${user} write to its directory, or set SETTINGS_FILE to a path in a writable directory.`
}
