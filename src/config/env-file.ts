import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { ConfigError } from './config-error.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The environment of this process. */
export const processEnvironment: Environment = process.env

/** Makes libraries that draw text read this file, instead of the system's configuration of fonts. */
export function useFontsFile(path: string): void {
  process.env['FONTCONFIG_FILE'] = path
}

/** Byte order mark, which some Windows editors add at the start of a file. */
export const byteOrderMark = /^\uFEFF/

/**
 * Returns the text of the directory's `.env` file, or an empty string if the file does not exist.
 */
export function readEnvFile(directory: string): string {
  const path = `${directory}/.env`
  try {
    return readFileSync(path, 'utf8').replace(byteOrderMark, '')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw new ConfigError([`The file ${path} cannot be read.`])
  }
}

/** Returns an environment merged over the directory's `.env` file, if there is one. */
export function mergedEnvironment(
  directory: string,
  environment: Environment = processEnvironment,
): Environment {
  return { ...parseEnv(readEnvFile(directory)), ...environment }
}

/**
 * Returns a hash of the named settings and of the files that they name, except for the sites file, which
 * may change while Feedhouse runs. It is the same only as long as every setting is the same.
 */
export function settingsFingerprint(
  names: readonly string[],
  directory: string,
  environment: Environment = processEnvironment,
): string {
  const merged = mergedEnvironment(directory, environment)
  const hash = createHash('sha256')
  for (const name of names.toSorted()) {
    const value = merged[name] ?? ''
    const content = isFileName(name) && value !== '' ? contentOf(resolve(directory, value)) : ''
    hash.update(JSON.stringify([name, value, content]))
  }
  return hash.digest('base64url')
}

function isFileName(name: string): boolean {
  return name === 'PLACES' || (name.endsWith('_FILE') && name !== 'SITES_FILE')
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
