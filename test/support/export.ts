import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { exportAndWatch, exportSite } from '../../src/export/export-site.ts'
import { standardCatalog } from '../../src/feeds/catalog.ts'
import { createLogger } from '../../src/log.ts'
import { createSandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts'
import { startService } from '../../src/hosting/hosting.ts'
import { openWebServer } from './web-server.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { createFakeClock } from './fake-clock.ts'
import { fewOn } from './few-records.ts'
import { certificates } from './sandbox.ts'
import { siteFrom, temporaryDirectory } from './service.ts'

/** Starts a sandbox, and returns functions that export its site to a temporary directory. */
export async function startExporting(
  options: {
    readonly sandbox?: SandboxOptions
    readonly publicUrl?: string
    readonly publicFeedIds?: readonly string[]
    /** Name of the output directory. */
    readonly below?: string
    /** Registers a function that stops everything; by default, it runs at the end of the test. */
    readonly onEnd?: (end: () => Promise<void>) => void
  } = {},
) {
  const clock = createFakeClock()
  const resources = new AsyncDisposableStack()
  const { onEnd = onTestFinished } = options
  onEnd(() => resources.disposeAsync())
  const sandbox = resources.use(
    await createSandbox({
      now: clock.now,
      ...certificates(),
      datasetOn: fewOn,
      ...options.sandbox,
    }),
  )
  const data = resources.use(temporaryDirectory())
  const store = resources.use(openSqliteStore(join(data.path, 'store.sqlite'), clock.now))
  const directory = join(data.path, 'web', options.below ?? 'out')
  mkdirSync(dirname(directory))
  const lines: string[] = []
  const stopping = new AbortController()
  const publicUrl = options.publicUrl ?? 'https://feeds.example.org'
  const all = {
    config: readConfig({}),
    store,
    clock,
    directory,
    hasDirectories: false,
    publicUrl,
    random: () => 0,
    publicFeedIds:
      options.publicFeedIds ?? standardCatalog.feedsOf({ feedIds: undefined }).map(({ id }) => id),
    site: siteFrom(sandbox),
    log: createLogger('debug', { write: (line) => lines.push(line) }),
    signal: stopping.signal,
  }
  return {
    clock,
    sandbox,
    directory,
    lines,
    publicUrl,
    site: all.site,
    config: all.config,
    once: (isPrecompressed = false, changes: Partial<typeof all> = {}) =>
      exportSite({ ...all, ...changes, isPrecompressed }),
    /** Starts the service on the same store. */
    async serve(publicUrl: string) {
      const service = resources.use(
        await startService({
          ...all,
          openServer: openWebServer,
          config: readConfig({ PORT: '0', PUBLIC_URL: publicUrl }),
          openStore: async () => openSqliteStore(join(data.path, 'store.sqlite'), clock.now),
          openSharedStore: async () => openSqliteStore(join(data.path, '_sites.sqlite'), clock.now),
        }),
      )
      return service.url
    },
    /** Exports continuously until the test ends. */
    watch() {
      const watching = exportAndWatch({ ...all, isPrecompressed: false })
      resources.defer(async () => {
        stopping.abort()
        await watching
      })
    },
  }
}

/** Returns the modification time and content of every file in a directory. */
export function filesIn(directory: string): ReadonlyMap<string, { mtimeMs: number; text: string }> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name)
        const { mtimeMs } = statSync(path)
        return [path.slice(directory.length + 1), { mtimeMs, text: readFileSync(path, 'latin1') }]
      }),
  )
}

/** Returns the files that were changed, added or removed. */
export function changedFiles(
  before: ReturnType<typeof filesIn>,
  after: ReturnType<typeof filesIn>,
): readonly string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort()
  return names.filter((name) => {
    const [old, now] = [before.get(name), after.get(name)]
    return !old || !now || old.mtimeMs !== now.mtimeMs || old.text !== now.text
  })
}
