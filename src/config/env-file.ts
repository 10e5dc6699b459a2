import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { ConfigError } from './config-error.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export const processEnvironment: Environment = process.env

/** Makes libraries that draw text read this file instead of the system's font configuration. */
export function useFontsFile(path: string): void {
  process.env['FONTCONFIG_FILE'] = path
}

/** Byte order mark, which some Windows editors add at the start of a file. */
export const byteOrderMark = /^\uFEFF/

/** Returns the absolute path of the settings file: `SETTINGS_FILE`, or the directory's `.env`. */
export function settingsPath(directory: string, { SETTINGS_FILE: path }: Environment): string {
  return resolve(directory, path?.trim() || '.env')
}

/** Returns the text of a settings file, or an empty string if there is none. */
export function readEnvFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(byteOrderMark, '')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw new ConfigError([`The file ${path} cannot be read.`])
  }
}

/** Returns an environment merged over the settings file, if there is one. */
export function mergedEnvironment(
  directory: string,
  environment: Environment = processEnvironment,
): Environment {
  return { ...parseEnv(readEnvFile(settingsPath(directory, environment))), ...environment }
}
