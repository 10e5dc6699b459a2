import { readFileSync } from 'node:fs'
import { ConfigError } from './config-error.ts'
import { byteOrderMark } from './env-file.ts'

/** Maximum number of sites, which share the memory and CPU time of one machine. */
export const maxSites = 2_000

/** Parses a sites file into raw settings by name. Throws a `ConfigError` that names `file`. */
export function sitesListedIn(file: string, text: string): readonly (readonly [string, unknown])[] {
  const sites = listedIn(file, text)
  if (sites.length === 0 || sites.length > maxSites) {
    throw new ConfigError([
      `SITES_FILE ${file} must be a JSON object of 1 to ${maxSites} sites, with the settings of each under its name.`,
    ])
  }
  return sites
}

function listedIn(file: string, text: string): readonly (readonly [string, unknown])[] {
  const listed = parsed(file, text)
  const sites = isObject(listed) ? Object.entries(listed) : []
  const repeated = repeatedKeys(text)
  if (repeated.length === 0) return sites
  throw new ConfigError([`SITES_FILE ${file} has duplicate names: ${repeated.join(', ')}.`])
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the text of a sites file. Throws a `ConfigError` that names `file`. */
export function readSitesFile(file: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(byteOrderMark, '')
  } catch {
    throw new ConfigError([`SITES_FILE names a file that cannot be read: ${file}.`])
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The rest of the message may quote a secret.
    const place = /\(line \d+ column \d+\)/.exec(String(error))?.[0] ?? ''
    throw new ConfigError([`SITES_FILE ${file} is not valid JSON ${place}`.trim() + '.'])
  }
}

/** Returns duplicate keys. `JSON.parse` silently keeps only the last of each. */
function repeatedKeys(json: string): readonly string[] {
  const repeated = new Set<string>()
  /** The keys of each open object, and undefined for each open array. */
  const open: (Set<string> | undefined)[] = []
  /** Where the string that is being read begins, or undefined between strings. */
  let begin: number | undefined
  let latest = ''
  // An expression for whole strings would exceed the stack for strings of millions of characters.
  for (const { 0: token, index } of json.matchAll(/\\.|["{}[\]:]/g)) {
    if (token === '"') {
      if (begin !== undefined) latest = json.slice(begin, index)
      begin = begin === undefined ? index + 1 : undefined
    } else if (begin !== undefined) continue
    else if (token === '{' || token === '[') open.push(token === '{' ? new Set() : undefined)
    else if (token === '}' || token === ']') open.pop()
    else {
      const names = open.at(-1)
      if (names?.has(latest)) repeated.add(latest)
      names?.add(latest)
    }
  }
  return [...repeated]
}

export function withSite(
  file: string,
  text: string,
  name: string,
  settings: Readonly<Record<string, string>>,
): string {
  return editedText(text, { ...Object.fromEntries(listedIn(file, text)), [name]: settings })
}

export function withoutSite(file: string, text: string, name: string): string {
  const { [name]: _removed, ...others } = Object.fromEntries(listedIn(file, text))
  return editedText(text, others)
}

/** Writes the sites, keeping the indentation of the old text. */
function editedText(text: string, sites: Readonly<Record<string, unknown>>): string {
  const [, indentation = '  '] = /^([ \t]+)"/m.exec(text) ?? []
  return `${JSON.stringify(sites, undefined, indentation)}\n`
}
