import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import {
  byteOrderMark,
  processEnvironment,
  readEnvFile,
  settingsPath,
  type Environment,
} from './env-file.ts'
import { invisibleFault, withoutInvisible } from './invisible-characters.ts'
import { misspelledIn } from './misspelled-settings.ts'
import { fileNames, pathNames, secretNames, settingNames } from './settings.ts'
import { isUrl } from './value-schemas.ts'

export type { Environment }

/** Settings from the environment and the settings file. */
export type LoadedSettings = {
  readonly environment: Environment
  /** Absolute path of the settings file, which may not exist. */
  readonly path: string
  /** Directory that relative paths in settings are resolved against. */
  readonly directory: string
  readonly faults: readonly string[]
  readonly warnings: readonly string[]
}

/** Returns the absolute paths of all files with secrets: the settings file, `SITES_FILE` and `*_FILE`. */
export function secretFiles(environment: Environment, directory: string): readonly string[] {
  const named = ['SITES_FILE', ...secretNames.map((name) => `${name}_FILE`)]
  const files = [
    settingsPath(directory, environment),
    ...named.flatMap((name) => environment[name]?.trim() || []).filter((file) => !isUrl(file)),
  ]
  return files.map((file) => resolve(directory, file))
}

/** Reads settings from an environment, merged over the settings file. */
export function settingsIn(
  directory: string,
  environment: Environment = processEnvironment,
): LoadedSettings {
  const path = settingsPath(directory, environment)
  const name = relative(directory, path) === '.env' ? '.env' : path
  const text = readEnvFile(path)
  const file = parseEnv(text)
  const misspelled = misspelledIn('file', Object.keys(file), settingNames)
  const misplaced = 'SETTINGS_FILE' in file ? [`SETTINGS_FILE has no effect in ${name}.`] : []
  return {
    environment: { ...file, ...environment },
    path,
    directory,
    faults: [
      ...lineFaults(text, name),
      ...misspelled.map((sentence) => `In ${name}: ${sentence}`),
      ...misplaced,
    ],
    // Other programs share the environment, so an unknown name may be one of theirs.
    warnings: misspelledIn('environment', Object.keys(environment), settingNames),
  }
}

/** A quoted value may span several lines. */
const quotedValue = /^[^#=\n]*=\s*(["'`])[\s\S]*?\1/gm

/** Reports lines that set no variable, without their text, which may be secret. */
function lineFaults(text: string, file: string): readonly string[] {
  const lines = text.replace(quotedValue, (value) => value.replace(/[^\n]+/g, '=')).split('\n')
  return lines.flatMap((line, index) => {
    const name = `Line ${index + 1} of ${file}`
    if (/^\s*\w+\s*=\s*#[\da-f]{6}\b/i.test(line)) {
      return `${name} has no value, because # starts a comment: remove the #.`
    }
    return /^\s*(#|$)|=/.test(line) ? [] : `${name} is ignored: write NAME=value.`
  })
}

export type SettingValues = ReturnType<typeof readValues>

/**
 * Reads the values of settings. An empty variable is treated as not set, except for `PUBLIC_FEEDS`,
 * where it means that no feed is public. A variable with a file name is replaced by the file's
 * content. Invisible characters are reported, and removed so that they cause no other faults.
 */
export function readValues(environment: Environment, directory = '.') {
  const values: Record<string, string> = {}
  const faults: string[] = []
  const contentOf = (name: string, file: string): string | undefined => {
    try {
      return readFileSync(resolve(directory, file), 'utf8')
    } catch (error) {
      faults.push(`${name} names a file that ${reasonOf(error)}: ${file}.`)
      return undefined
    }
  }
  for (const [name, value] of Object.entries(environment)) {
    const isSet = value?.trim() !== '' || name === 'PUBLIC_FEEDS'
    if (value !== undefined && isSet) values[name] = value.trim()
  }
  for (const name of secretNames) {
    const file = values[`${name}_FILE`]
    if (file === undefined) continue
    if (values[name] !== undefined) faults.push(`${name} and ${name}_FILE are both set; set one.`)
    const content = contentOf(`${name}_FILE`, file)
    const secret = content?.trim()
    if (secret === '') faults.push(`${file} (${name}_FILE) is empty.`)
    else if (secret !== undefined) values[name] = secret
    values[`${name}_FILE`] = resolve(directory, file)
  }
  for (const name of fileNames) {
    const file = values[name]
    const content = file === undefined ? undefined : contentOf(name, file)
    if (content !== undefined) values[name] = content.replace(byteOrderMark, '')
    else delete values[name]
  }
  for (const name of pathNames) {
    const file = values[name]
    if (file !== undefined) values[name] = resolve(directory, file)
  }
  for (const name of settingNames) {
    const value = values[name]
    const fault = value !== undefined && name !== 'SITE_CA_FILE' && invisibleFault(value)
    if (!fault) continue
    faults.push(`${name} ${fault}.`)
    values[name] = withoutInvisible(value)
  }
  const { SITE_LOGO: logo } = values
  if (logo !== undefined && !/^https?:/i.test(logo)) {
    values['SITE_LOGO'] = resolve(directory, logo)
    const fault = logoFault(values['SITE_LOGO'])
    if (fault !== undefined) faults.push(`SITE_LOGO names a file that ${fault}: ${logo}.`)
  }
  return { values, faults }
}

/** Logos are small, so anything larger is a mistake. */
const maxLogoBytes = 4 * 1024 * 1024

function logoFault(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK)
    return statSync(path).size > maxLogoBytes ? 'is larger than 4 MB' : undefined
  } catch (error) {
    return reasonOf(error)
  }
}

export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'does not exist'
  return code === 'EACCES'
    ? `the user with id ${process.getuid?.()} has no permission to read; change its owner, group or mode`
    : 'cannot be read'
}
