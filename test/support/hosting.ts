import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { request } from 'undici'
import { readServer, readSite } from '../../src/config/config.ts'
import { readValues, type Environment } from '../../src/config/environment.ts'
import type { NamedSite, SitesConfig } from '../../src/config/sites-config.ts'
import { startHosting } from '../../src/hosting/hosting.ts'
import { createLogger } from '../../src/log.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { createFakeClock } from './fake-clock.ts'
import { certificates } from './sandbox.ts'
import { siteFrom, temporaryDirectory } from './service.ts'
import { openWebServer } from './web-server.ts'

type HostedSettings = {
  readonly publicUrl: string
  readonly environment?: Environment
  /** URL of the website. Defaults to the site's sandbox. */
  readonly siteUrl?: string
  /** Records on the site's website. Defaults to the sample. */
  readonly datasetOn?: NonNullable<SandboxOptions['datasetOn']>
}

/** Starts several sites on one clock, each with its own sandbox. Their stores share a directory. */
export async function startTestHosting(
  settings: Readonly<Record<string, HostedSettings>>,
  options: {
    readonly prepare?: (fileOf: (name: string) => string) => void
    /** Errors in a changed sites file. */
    readonly faults?: readonly string[]
    /** Settings for the process. */
    readonly environment?: Environment
    /** Called for each site whose store has been opened. */
    readonly changeStore?: (store: Store, name: string) => Store | Promise<Store>
  } = {},
) {
  const clock = createFakeClock()
  const resources = new AsyncDisposableStack()
  onTestFinished(() => resources.disposeAsync())
  const directory = resources.use(temporaryDirectory()).path
  const sandboxes: Record<string, Sandbox> = {}
  const versions: SitesConfig[] = []
  const { config: server } = readServer(readValues({ PORT: '0', ...options.environment }))

  async function sandboxOf(name: string, { datasetOn }: HostedSettings): Promise<Sandbox> {
    const given = datasetOn ? { datasetOn } : {}
    sandboxes[name] ??= resources.use(
      await createSandbox({ now: clock.now, ...certificates(), ...given }),
    )
    return sandboxes[name]
  }

  async function siteOf([name, settings]: readonly [string, HostedSettings]): Promise<NamedSite> {
    const { publicUrl, environment, siteUrl } = settings
    const own = siteFrom(await sandboxOf(name, settings))
    const title = environment?.['SITE_NAME'] ?? name
    const site = { ...own, url: siteUrl ?? own.url, name: title }
    const { config } = readSite(readValues({ ...environment }), server)
    return { name, config: { ...config, site, publicUrl } }
  }

  /** Returns the settings of these sites. The file's text is a number that identifies them. */
  async function versionOf(listed: typeof settings): Promise<SitesConfig> {
    const sites = await Promise.all(Object.entries(listed).map(siteOf))
    const version = { server, sites, faulty: [], secretFiles: [], text: String(versions.length) }
    versions.push(version)
    return version
  }

  const first = await versionOf(settings)
  const fileOf = (name: string) =>
    join(directory, `${new URL(sandboxes[name]?.url ?? '').host.replace(':', '_')}.sqlite`)
  options.prepare?.(fileOf)
  const lines: string[] = []
  const hosting = resources.use(
    await startHosting({
      sites: first,
      parse: (text) => versions[Number(text)] ?? first,
      faults: () => options.faults ?? [],
      async openStore({ name, config }) {
        const siteUrl = config.site.url
        const store = await openStore({ directory, redisUrl: undefined, now: clock.now, siteUrl })
        return (await options.changeStore?.(store, name)) ?? store
      },
      openServer: openWebServer,
      openSharedStore: () =>
        openStore({ directory, redisUrl: undefined, now: clock.now, siteUrl: 'https://_sites' }),
      random: () => 0,
      clock,
      log: createLogger('debug', { write: (line) => lines.push(line) }),
    }),
  )
  await hosting.started

  /** Serves these sites instead. */
  const changeSites = async (listed: typeof settings) =>
    hosting.changeSites(await versionOf(listed))

  /** Sends a request to the process the way a proxy does, with the host that was requested. */
  async function ask(
    address: string,
    init: {
      readonly method?: 'POST'
      /** Fields of a form on a page of the same origin. */
      readonly form?: Readonly<Record<string, string>>
      readonly headers?: object
    } = {},
  ) {
    const { host, origin, pathname, search } = new URL(address)
    const { method = 'GET', form } = init
    const ofForm = { 'content-type': 'application/x-www-form-urlencoded', origin }
    const { statusCode, headers, body } = await request(`${hosting.url}${pathname}${search}`, {
      method: form ? 'POST' : method,
      body: form ? new URLSearchParams(form).toString() : null,
      headers: { ...(form ? ofForm : {}), ...init.headers, host },
    })
    return { status: statusCode, headers, text: await body.text() }
  }

  return { clock, sandboxes, sites: first.sites, hosting, lines, ask, changeSites, fileOf }
}
