import { basename, dirname, join } from 'node:path'
import { systemClock } from '../clock.ts'
import { ConfigError, throwIfFaults } from '../config/config-error.ts'
import { readConfig, readServer, type Config } from '../config/config.ts'
import { readValues, type Environment, type LoadedSettings } from '../config/environment.ts'
import { changeSettings, replaceFile, writeFault, writtenPath } from '../config/settings-file.ts'
import { isLoopback } from '../hosting/setup-access.ts'
import {
  createSetupPage,
  setupFieldNames,
  type Entered,
  type SetupField,
} from '../hosting/setup-page.ts'
import type { OpenServer } from '../hosting/web-server.ts'
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
  const { values, faults } = readValues(loaded.environment, directory)
  const { config, faults: serverFaults } = readServer({ values, faults }, directory)
  throwIfFaults([...loaded.faults, ...faults, ...serverFaults])
  const fault = writeFault(writtenPath(settingsFile))
  if (fault !== undefined) throw new UsageError(fault)
  const log = context.createLogger(config.logLevel)
  const address = { ...config, sites: [], workers: 1, isAlone: true }
  const server = await openServer(address, { clock, log, random: Math.random })
  const { PUBLIC_URL: publicUrl } = values
  const isOpenLocally = isLoopback(config.host) && config.proxies === 0 && publicUrl === undefined
  const home = `${publicUrl ?? server.url}/`
  const page = createSetupPage({
    publicUrl: publicUrl ?? server.url,
    isOpenLocally,
    announce(code) {
      const use = isOpenLocally ? 'To open it through a proxy, enter' : 'Enter'
      context.stdout.write(`Feedhouse is not set up yet. Open ${home}\n${use} this code: ${code}\n`)
    },
    settingsFile,
    ...knownSettings(loaded, values, context.environment),
    faultsOf: (entered) => faultsIn(() => configWith(loaded, entered)),
    check: (entered) => check(configWith(loaded, entered), context),
    save: (entered) => save(loaded, entered, context.environment),
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

function isGiven(environment: Environment, name: SetupField): boolean {
  const hasFile = name === 'SITE_REFRESH_TOKEN' && isSet(environment, `${name}_FILE`)
  return hasFile || isSet(environment, name)
}

function isSet(environment: Environment, name: string): boolean {
  return (environment[name]?.trim() ?? '') !== ''
}

/** Returns the initial content of the form. */
function knownSettings(
  { environment }: LoadedSettings,
  values: Readonly<Record<string, string>>,
  own: Environment,
) {
  const initial = setupFieldNames.map((name) => [
    name,
    name === 'SITE_REFRESH_TOKEN' ? '' : (values[name] ?? ''),
  ])
  return {
    initial: Object.fromEntries(initial) as Entered,
    fixed: setupFieldNames.filter((name) => isGiven(own, name)),
    hasToken: isGiven(environment, 'SITE_REFRESH_TOKEN'),
  }
}

/** Returns all settings. Throws a `ConfigError`. */
function configWith({ environment, faults, directory }: LoadedSettings, entered: Entered): Config {
  const given = Object.entries(entered).filter(([, value]) => value !== '')
  const hasToken = entered.SITE_REFRESH_TOKEN !== ''
  const token = hasToken ? { SITE_REFRESH_TOKEN_FILE: undefined } : {}
  return readConfig({ ...environment, ...token, ...Object.fromEntries(given) }, faults, directory)
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
  yield* siteFindings({ ...config, site }, store, { log: context.createLogger('silent') })
}

/** Writes the token first, because it has no effect without the other settings. */
function save(loaded: LoadedSettings, entered: Entered, own: Environment): void {
  const path = writtenPath(loaded.path)
  const { SITE_REFRESH_TOKEN: token, ...others } = entered
  const changed = Object.entries(others).filter(([name]) => !isSet(own, name))
  const file = join(dirname(path), tokenFile)
  if (token !== '') replaceFile(file, `${token}\n`)
  changeSettings(path, {
    ...Object.fromEntries(changed),
    ...(token !== '' && {
      SITE_REFRESH_TOKEN: '',
      SITE_REFRESH_TOKEN_FILE: dirname(path) === loaded.directory ? basename(file) : file,
    }),
  })
}
