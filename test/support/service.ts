import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import type { DatabaseSettings } from '../../src/feeds/database-settings.ts'
import type { IdentitySettings } from '../../src/feeds/identity.ts'
import { standardCatalog } from '../../src/feeds/catalog.ts'
import type { ServiceStatus } from '../../src/representations/service-status.ts'
import type { NewLink } from '../../src/links/stored-links.ts'
import { createLogger } from '../../src/log.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts'
import { startService, type ServiceOptions } from '../../src/hosting/hosting.ts'
import { createStores } from '../../src/store/open-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { createFakeClock } from './fake-clock.ts'
import { certificates } from './sandbox.ts'
import { atTestEnd } from './test-end.ts'
import { openWebServer } from './web-server.ts'

/** Creates a directory that is deleted after the test. */
export function temporaryDirectory() {
  const path = mkdtempSync(join(tmpdir(), 'feedhouse-test-'))
  return {
    path,
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/** Returns the path of a directory that is deleted after the test. */
export function testDirectory(): string {
  const directory = temporaryDirectory()
  atTestEnd(() => directory[Symbol.dispose]())
  return directory.path
}

/** Returns the settings of a site whose website is the sandbox. */
export function siteFrom({ url, siteName: name, timeZone, caFile, projects }: Sandbox) {
  const refreshToken = projects[0]?.refreshToken ?? ''
  return { url, name, timeZone, links: {}, caPem: readFileSync(caFile, 'utf8'), refreshToken }
}

export type TestServiceOptions = {
  readonly environment?: Environment
  readonly publicFeedIds?: readonly string[]
  readonly links?: Readonly<Record<string, string>>
  readonly identity?: IdentitySettings
  readonly siteName?: string
  readonly databases?: readonly DatabaseSettings[]
  readonly sandbox?: SandboxOptions
  /** A website that the service reads instead of the sandbox, or its differences from the sandbox. */
  readonly website?: {
    readonly url: string
    readonly caPem?: string
    readonly refreshToken?: string
  }
  /** Value of SITE_LANGUAGE. */
  readonly language?: string
  /** Value of SITE_TIME_ZONE, if it is not the sandbox's time zone. */
  readonly timeZone?: string
  /** Prepares the sandbox before the service starts. */
  readonly prepare?: (sandbox: Sandbox) => Promise<unknown>
  /** URL of a Redis server to use instead of SQLite. */
  readonly redisUrl?: string
  /** Data directory, if it is not a temporary one. A SQLite file in it is recorded, too. */
  readonly dataDirectory?: string
  /** Returns the path of the store. Used by tests that run commands on the store. */
  readonly storeFileIn?: (siteUrl: string) => string
  /** Replaces parts of the store, such as to make them fail. */
  readonly changeStore?: (store: Store) => Store
  readonly openServer?: ServiceOptions['openServer']
}

export type TestService = Awaited<ReturnType<typeof startTestService>>

/** Starts the service and a sandbox on free ports, with one clock that only advances on command. */
export async function startTestService(options: TestServiceOptions = {}) {
  const clock = createFakeClock()
  const resources = new AsyncDisposableStack()
  const sandbox = resources.use(
    await createSandbox({ now: clock.now, ...certificates(), ...options.sandbox }),
  )
  await options.prepare?.(sandbox)
  const site = { ...siteFrom(sandbox), ...options.website }
  const data = resources.use(temporaryDirectory())
  const { redisUrl } = options
  const stores = resources.use(
    createStores({ directory: options.dataDirectory ?? data.path, redisUrl, now: clock.now }),
  )
  const lines: string[] = []
  const service = resources.use(
    await startService({
      config: readConfig({ PORT: '0', ...options.environment }),
      site: {
        ...site,
        name: options.siteName ?? site.name,
        timeZone: options.timeZone ?? site.timeZone,
        links: options.links ?? {},
        identity: options.identity ?? {},
        language: options.language,
        databases: options.databases,
      },
      publicFeedIds:
        options.publicFeedIds ??
        standardCatalog.feedsOf({ feedIds: undefined }).map(({ id }) => id),
      openStore: async () => {
        const file = options.storeFileIn?.(site.url) ?? join(data.path, 'store.sqlite')
        const store =
          redisUrl === undefined && options.dataDirectory === undefined
            ? openSqliteStore(file, clock.now)
            : await stores.open({ siteUrl: 'https://www.example.org' })
        return options.changeStore?.(store) ?? store
      },
      openSharedStore: async () => openSqliteStore(join(data.path, '_sites.sqlite'), clock.now),
      openServer: options.openServer ?? openWebServer,
      random: () => 0,
      clock,
      log: createLogger('debug', { write: (line) => lines.push(line) }),
    }),
  )
  const status = async () =>
    JSON.parse(JSON.stringify(await service.site.status())) as ServiceStatus
  return {
    clock,
    sandbox,
    url: service.url,
    /** Adds a feed link and resolves to the URL of its page. */
    addLink: (wish: Partial<NewLink>) =>
      service.site.addLink({
        label: 'Test',
        feedIds: undefined,
        profile: 'members',
        expiresAt: undefined,
        ...wish,
      }),
    /** Requests a path of the service, or another URL. */
    get: async (path: string, headers: Readonly<Record<string, string>> = {}) => {
      const response = await fetch(new URL(path, service.url), { headers })
      const { status, url } = response
      return { status, url, headers: response.headers, text: await response.text() }
    },
    /** Makes the service read every public feed from the website. */
    readAll: async () => {
      for (const { id, formats } of standardCatalog.feedsOf({ feedIds: options.publicFeedIds }))
        await fetch(`${service.url}/${id}.${formats[0]}`)
    },
    lines,
    refreshToken: site.refreshToken,
    /** Returns the status that signed-in users see. */
    status,
    /** Returns the names of the resources that the service reads. */
    resourcesRead: async () => (await status()).collections.map(({ name }) => name),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
