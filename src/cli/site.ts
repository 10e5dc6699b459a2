import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { throwIfFaults } from '../config/config-error.ts'
import { settingsIn } from '../config/environment.ts'
import { secretNames } from '../config/settings.ts'
import { readSitesConfig, type SitesConfig } from '../config/sites-config.ts'
import { readSitesFile, withoutSite, withSite } from '../config/sites-file.ts'
import { hasSitesFile, sitesLocation } from '../config/sites-location.ts'
import { addedFaults } from '../config/sites-reload.ts'
import { moveIntoPlace } from '../store/private-files.ts'
import {
  defineCommand,
  flag,
  platformIn,
  requireNoOperands,
  type CommandContext,
  type Print,
} from './command.ts'
import { UsageError } from './user-errors.ts'

/** Mode of a new file, which may contain secrets. */
const newFileMode = 0o600

export const command = defineCommand({
  options: { json: flag('print one JSON line per site') },
  help: (list) => `Usage: npx feedhouse site add NAME SETTING=VALUE...
       npx feedhouse site remove NAME
       npx feedhouse site list
       npx feedhouse site check

Manages the sites in SITES_FILE. A running Feedhouse applies each change within seconds, without
affecting other sites.

add adds a site with these settings. SITE_URL, SITE_TIME_ZONE, PUBLIC_URL and
SITE_REFRESH_TOKEN_FILE are required. Secrets must be in files, whose names are relative to
SITES_FILE. The first site creates the file. remove removes a site, which then returns 404. Its data
is kept. Neither changes the file if it would become invalid.

list shows all sites. check checks the settings of all sites, without reading the websites. The exit
status is 0 if they are valid, otherwise 1.

${list()}`,
  takesOperands: true,
  async run({ operands: [subcommand, ...operands], print }, context) {
    const file = openSitesFile(context)
    if (file.isDownloaded && ['add', 'remove'].includes(subcommand ?? '')) {
      throw new UsageError(
        'SITES_FILE is a URL. Change the file there. Feedhouse downloads it within a minute.',
      )
    }
    switch (subcommand) {
      case 'add':
        return add(file, operands, print, platformIn(context.environment).command)
      case 'remove':
        return remove(file, operands, print)
      case 'list':
        requireNoOperands(operands)
        return list(file, print)
      case 'check':
        requireNoOperands(operands)
        return check(file, print)
      default:
        throw new UsageError(
          'Usage: npx feedhouse site add, site remove, site list or site check; see --help.',
        )
    }
  },
})

type SitesFile = {
  readonly name: string
  /** True if it is downloaded from a URL and therefore can't be changed here. */
  readonly isDownloaded: boolean
  readonly read: () => SitesConfig | undefined
  /** Parses a text or the file. Throws a `ConfigError` if it is invalid. */
  readonly parse: (text?: string) => SitesConfig
  /** Replaces the text, unless it is no longer `before`. */
  readonly replace: (before: string | undefined, text: string) => void
}

function openSitesFile(context: CommandContext): SitesFile {
  const { environment, directory, faults } = settingsIn(context.directory, context.environment)
  if (!hasSitesFile(environment)) {
    throw new UsageError(
      'SITES_FILE is not set. Set it to the path of the file with the settings of all sites.',
    )
  }
  const { name, url, path } = sitesLocation(environment, directory)
  const parse: SitesFile['parse'] = (text) => readSitesConfig(environment, faults, directory, text)
  return {
    name,
    isDownloaded: url !== undefined,
    read: () => (url === undefined && isMissing(path) ? undefined : parse()),
    parse,
    replace(before, text) {
      const textNow = isMissing(path) ? undefined : readSitesFile(name, path)
      if (textNow !== before) {
        throw new UsageError(`${name} has just been changed. Please try again.`)
      }
      replaceFile(name, path, text)
    },
  }
}

function add(
  file: SitesFile,
  [name, ...settings]: readonly string[],
  print: Print,
  feedhouse: string,
): void {
  if (name === undefined)
    throw new UsageError('Usage: npx feedhouse site add NAME SETTING=VALUE...; see --help.')
  const given = settingsFrom(settings)
  const before = file.read()
  if (before && [...before.sites, ...before.faulty].some((site) => site.name === name)) {
    throw new UsageError(`There is already a site named ${name}. To change it, edit ${file.name}.`)
  }
  const text = withSite(file.name, before?.text ?? '{}', name, given)
  const after = file.parse(text)
  throwIfFaults(addedFaults(before?.faulty ?? [], after.faulty))
  file.replace(before?.text, text)
  const publicUrl = after.sites.find((site) => site.name === name)?.config.publicUrl
  print(
    { name, publicUrl },
    `Added ${name}, at ${publicUrl}/. Next: ${feedhouse} check --site ${name}`,
  )
}

function remove(file: SitesFile, [name, ...more]: readonly string[], print: Print): void {
  requireNoOperands(more)
  if (name === undefined) throw new UsageError('Usage: npx feedhouse site remove NAME; see --help.')
  const before = file.read()
  const all = [...(before?.sites ?? []), ...(before?.faulty ?? [])]
  if (!before || !all.some((site) => site.name === name)) {
    throw new UsageError(`Unknown site: ${name}. See site list.`)
  }
  if (all.length === 1) {
    throw new UsageError(`${name} is the only site. Stop Feedhouse instead.`)
  }
  const text = withoutSite(file.name, before.text, name)
  throwIfFaults(addedFaults(before.faulty, file.parse(text).faulty))
  file.replace(before.text, text)
  print({ name }, `Removed ${name}. Its data is kept.`)
}

function list(file: SitesFile, print: Print): void {
  const { sites, faulty } = file.read() ?? { sites: [], faulty: [] }
  for (const { name, config } of sites) {
    const { publicUrl, site } = config
    print({ name, publicUrl, siteUrl: site.url }, `${name}  ${publicUrl}/  ${site.url}`)
  }
  for (const { name, publicUrl = null, faults } of faulty) {
    print({ name, publicUrl, faults }, `${name}  not served: ${faults.join(' ')}`)
  }
}

function check(file: SitesFile, print: Print): number {
  const read = file.read()
  if (!read) throw new UsageError(`${file.name} does not exist. Create it with site add.`)
  const { sites, faulty } = read
  for (const { name } of sites) print({ name, ok: true, faults: [] }, `ok     ${name}`)
  for (const { name, faults } of faulty) {
    print({ name, ok: false, faults }, faults.map((fault) => `FAULT  ${fault}`).join('\n'))
  }
  return faulty.length === 0 ? 0 : 1
}

/** Reads settings like `SITE_NAME=Ashton`. Rejects secrets, because other users see arguments. */
function settingsFrom(args: readonly string[]): Readonly<Record<string, string>> {
  const pairs = args.map((arg) => {
    const [, name = '', value = ''] = /^([A-Z\d_]+)=([^]*)$/.exec(arg) ?? []
    if (name === '') throw new UsageError('Write each setting as SETTING=VALUE; see --help.')
    if (secretNames.some((secret) => secret === name)) {
      throw new UsageError(`${name} is a secret. Put it into a file, and set ${name}_FILE.`)
    }
    return [name, value] as const
  })
  return Object.fromEntries(pairs)
}

function isMissing(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) === undefined
}

/** Replaces a file, in a single step, with one that has the same mode and owner. */
function replaceFile(name: string, path: string, text: string): void {
  const target = isMissing(path) ? path : realpathSync(path)
  const { mode = newFileMode, uid, gid } = statSync(target, { throwIfNoEntry: false }) ?? {}
  const part = `${target}.${randomUUID()}.part`
  try {
    writeFileSync(part, text, { mode: mode & 0o777, flag: 'wx' })
    if (uid !== undefined && gid !== undefined) chownSync(part, uid, gid)
    chmodSync(part, mode & 0o777)
    moveIntoPlace(part, target)
  } catch (error) {
    rmSync(part, { force: true })
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(
      `${name} cannot be replaced (${code}), and is unchanged. This command must be able to write to its directory, and the file must not be mounted on its own.`,
    )
  }
}
