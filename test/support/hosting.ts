import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { request } from 'undici'
import { readServer, readSite } from '../../src/config/config.ts'
import { readValues, type Environment } from '../../src/config/environment.ts'
import type { NamedSite } from '../../src/config/sites-config.ts'
import { startHosting } from '../../src/app/hosting.ts'
import { createLogger } from '../../src/log.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts'
import { openStore } from '../../src/store/open-store.ts'
import { createFakeClock } from './fake-clock.ts'
import { temporaryDirectory } from './service.ts'

type HostedSettings = {
  readonly publicUrl: string
  readonly environment?: Environment
  /** Records on the site's website. Defaults to the sample. */
  readonly datasetOn?: NonNullable<SandboxOptions['datasetOn']>
}

/** Starts several sites on one clock, each with its own sandbox. Their stores share a directory. */
export async function startTestHosting(
  settings: Readonly<Record<string, HostedSettings>>,
  options: { readonly prepare?: (fileOf: (name: string) => string) => void } = {},
) {
  const clock = createFakeClock()
  const resources = new AsyncDisposableStack()
  onTestFinished(() => resources.disposeAsync())
  const directory = resources.use(temporaryDirectory()).path
  const sandboxes: Record<string, Sandbox> = {}
  const sites: NamedSite[] = []
  for (const [name, { publicUrl, environment, datasetOn }] of Object.entries(settings)) {
    const sandbox = resources.use(
      await createSandbox({ now: clock.now, ...(datasetOn ? { datasetOn } : {}) }),
    )
    sandboxes[name] = sandbox
    const { url, timeZone, caFile, projects } = sandbox
    const site = {
      url,
      timeZone,
      name,
      caPem: readFileSync(caFile, 'utf8'),
      links: {},
      refreshToken: projects[0]?.refreshToken ?? '',
    }
    const { config } = readSite(readValues({ ...environment }))
    sites.push({ name, config: { ...config, site, publicUrl } })
  }
  const fileOf = (name: string) =>
    join(directory, `${new URL(sandboxes[name]?.url ?? '').host.replace(':', '_')}.sqlite`)
  options.prepare?.(fileOf)
  const lines: string[] = []
  const hosting = resources.use(
    await startHosting({
      server: readServer(readValues({ PORT: '0' })).config,
      sites,
      faulty: [],
      openStore: ({ config }) =>
        openStore({
          directory,
          redisUrl: undefined,
          now: clock.now,
          siteUrl: config.site.url,
        }),
      random: () => 0,
      clock,
      log: createLogger('debug', { write: (line) => lines.push(line) }),
    }),
  )
  await hosting.started

  /** Sends a request to the process the way a proxy does, with the host that was requested. */
  async function ask(
    address: string,
    init: { readonly method?: 'POST'; readonly body?: string; readonly headers?: object } = {},
  ) {
    const { host, pathname, search } = new URL(address)
    const { statusCode, headers, body } = await request(`${hosting.url}${pathname}${search}`, {
      method: init.method ?? 'GET',
      body: init.body ?? null,
      headers: { ...init.headers, host },
    })
    return { status: statusCode, headers, text: await body.text() }
  }

  return { clock, sandboxes, sites, hosting, lines, ask, fileOf }
}
