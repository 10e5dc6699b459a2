import { basename, dirname, join } from 'node:path'
import { systemClock } from '../clock.ts'
import { ConfigError, throwIfFaults } from '../config/config-error.ts'
import { readConfig, readServer, type Config } from '../config/config.ts'
import { readValues, type Environment, type LoadedSettings } from '../config/environment.ts'
import { changeSettings, replaceFile, writeFault, writtenPath } from '../config/settings-file.ts'
import {
  createSetupPage,
  setupFieldNames,
  type Entered,
  type SetupField,
} from '../hosting/setup-page.ts'
import { wildcardHosts, type OpenServer } from '../hosting/web-server.ts'
import { openConfiguredStore } from './chosen-site.ts'
import type { CommandContext } from './command.ts'
import { siteFindings } from './site-findings.ts'
import { UsageError } from './user-errors.ts'

/** File for the token, next to the settings. A new token takes effect without a restart. */
const tokenFile = 'refresh-token'

const clock = systemClock

/**
 * Serves the setup page until the settings are saved. Resolves to a function that hands the page's server over
 * to the service, or to undefined after a stop signal. Throws a `ConfigError` for other invalid settings.
 */
export async function runSetup(
  loaded: LoadedSettings,
  openServer: OpenServer,
  context: CommandContext,
): Promise<OpenServer | undefined> {
  const { directory, path: settingsFile } = loaded
  const { environment: own } = context
  const { values, faults } = readValues(loaded.environment, directory)
  const { config, faults: serverFaults } = readServer({ values, faults }, directory)
  throwIfFaults([...loaded.faults, ...faults, ...serverFaults])
  const fault = writeFault(writtenPath(settingsFile))
  if (fault !== undefined) throw new UsageError(fault)
  const log = context.createLogger(config.logLevel)
  const address = { ...config, sites: [], workers: 1, isAlone: true }
  const server = await openServer(address, { clock, log, random: Math.random })
  const { PUBLIC_URL: publicUrl } = values
  const page = createSetupPage({
    publicUrl: publicUrl ?? server.url,
    announce(code, browsers) {
      const url = publicUrl ?? localUrl(server.url, config.host)
      context.stdout.write(announcement(url, code, browsers))
    },
    settingsFile,
    ...knownSettings(values, own),
    faultsOf: (entered) => faultsIn(() => configWith(loaded, entered, own)),
    check: (entered) => check(configWith(loaded, entered, own), context),
    save: (entered) => save(loaded, entered, own),
    proxies: config.proxies,
    rejections: server.rejections,
    clock,
    log,
  })
  const answering = server.answer(page.listener)
  const stopped = context.stopSignal()
  if (await Promise.race([page.saved.then(() => false), stopped.then(() => true)])) {
    await answering[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
    return undefined
  }
  return async () => ({
    ...server,
    answer(...listeners) {
      const served = server.answer(...listeners)
      page.release(listeners[0])
      return served
    },
  })
}

/** The code is in the URL's fragment, so no access log contains it (templates/hosting/setup-code.js). */
function announcement(url: string, code: string, browsers: number): string {
  const use =
    browsers === 0
      ? 'Feedhouse is not set up yet. Open this link, which works in one browser:'
      : 'A browser has opened the setup page. This link opens it in another one:'
  return `${use}\n${url}/#code=${code}\nIf you reach Feedhouse at another address, open that and enter this code: ${code}\n`
}

/** Returns the URL at which browsers on this machine reach the server. */
function localUrl(url: string, host: string): string {
  return wildcardHosts.includes(host)
    ? Object.assign(new URL(url), { hostname: '127.0.0.1' }).origin
    : url
}

function isSet(environment: Environment, name: string): boolean {
  return (environment[name]?.trim() ?? '') !== ''
}

function isTokenIn(environment: Environment): boolean {
  return isSet(environment, 'SITE_REFRESH_TOKEN') || isSet(environment, 'SITE_REFRESH_TOKEN_FILE')
}

const isToken = (name: SetupField) => name === 'SITE_REFRESH_TOKEN'

/** Returns the initial content of the form. */
function knownSettings(values: Readonly<Record<string, string>>, own: Environment) {
  const initial = setupFieldNames.map((name) => [name, isToken(name) ? '' : (values[name] ?? '')])
  return {
    initial: Object.fromEntries(initial) as Entered,
    fixed: setupFieldNames.filter((name) => !isToken(name) && isSet(own, name)),
    isTokenFixed: isTokenIn(own),
  }
}

/**
 * Returns all settings. Without `SITE_URL`, nothing tells which website a token in the settings is for, so it
 * is only used for the entered website if it has been entered, too. Throws a `ConfigError`.
 */
function configWith(
  { environment, faults, directory }: LoadedSettings,
  entered: Entered,
  own: Environment,
): Config {
  const { SITE_REFRESH_TOKEN: token, ...others } = entered
  const given = Object.entries(others).filter(([, value]) => value !== '')
  const tokens = { SITE_REFRESH_TOKEN: token, SITE_REFRESH_TOKEN_FILE: undefined }
  const config = readConfig(
    { ...environment, ...Object.fromEntries(given), ...(isTokenIn(own) ? {} : tokens) },
    faults,
    directory,
  )
  if (config.site?.refreshToken === token) return config
  throw new ConfigError(['SITE_REFRESH_TOKEN must be the one in the environment.'])
}

function faultsIn(read: () => unknown): readonly string[] {
  try {
    read()
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

async function* check(config: Config, context: CommandContext) {
  const { site } = config
  if (!site) return
  await using store = await openConfiguredStore(config, context)
  yield* siteFindings({ ...config, site }, store, {
    log: context.createLogger('silent'),
    isOnPage: !isTokenIn(context.environment) && !isSet(context.environment, 'SITE_TIME_ZONE'),
  })
}

/** Writes the token first, because it has no effect without the other settings. */
function save(loaded: LoadedSettings, entered: Entered, own: Environment): void {
  const path = writtenPath(loaded.path)
  const { SITE_REFRESH_TOKEN: token, ...others } = entered
  const hasToken = isTokenIn(own)
  const changed = Object.entries(others).filter(([name]) => !isSet(own, name))
  const file = join(dirname(path), tokenFile)
  if (!hasToken) replaceFile(file, `${token}\n`)
  changeSettings(path, {
    ...Object.fromEntries(changed),
    ...(!hasToken && {
      SITE_REFRESH_TOKEN: '',
      SITE_REFRESH_TOKEN_FILE: dirname(path) === loaded.directory ? basename(file) : file,
    }),
  })
}
