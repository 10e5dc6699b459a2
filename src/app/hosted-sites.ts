import type { NamedSite } from '../config/sites-config.ts'
import type { RunningSite } from './hosted-site.ts'

/** The sites of a maker, which can change while it runs. Abort it before disposing it. */
export type HostedSites = AsyncDisposable & {
  /**
   * Starts new sites, replaces sites with changed settings, and stops sites that are not in `names`.
   * Resolves once each new site has either started or failed to start.
   */
  readonly apply: (sites: readonly NamedSite[], names: ReadonlySet<string>) => Promise<void>
  readonly all: () => readonly RunningSite[]
  /** Aborts all upstream requests, the requests that wait for them, and retries of failed starts. */
  readonly abort: () => void
}

type Entry = {
  readonly site: RunningSite
  readonly started: Promise<void>
  readonly stopping: AbortController
}

export function createHostedSites(createSite: (site: NamedSite) => RunningSite): HostedSites {
  const entries = new Map<string, Entry>()
  const closing = new Set<Promise<void>>()
  let isStopping = false

  function add(named: NamedSite): Promise<void> {
    const [site, stopping] = [createSite(named), new AbortController()]
    const started = site.start(stopping.signal)
    entries.set(named.name, { site, started, stopping })
    return started
  }

  function abort({ site, stopping }: Entry): void {
    stopping.abort()
    site.abortUpstream()
  }

  async function close({ site, started }: Entry): Promise<void> {
    await started
    await site[Symbol.asyncDispose]()
  }

  function remove(name: string, entry: Entry): void {
    entries.delete(name)
    entry.site.retireAll()
    abort(entry)
    const closed = close(entry).finally(() => closing.delete(closed))
    closing.add(closed)
  }

  return {
    async apply(sites, names) {
      if (isStopping) return
      for (const [name, entry] of entries) if (!names.has(name)) remove(name, entry)
      const own = sites.filter(({ name }) => names.has(name))
      const added = own.filter(({ name }) => !entries.has(name))
      for (const site of own) {
        const entry = entries.get(site.name)
        entry?.site.change(site, entry.stopping.signal)
      }
      await Promise.all(added.map(add))
    },
    all: () => [...entries.values()].map(({ site }) => site),
    abort() {
      isStopping = true
      for (const entry of entries.values()) abort(entry)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...closing, ...[...entries.values()].map(close)])
    },
  }
}
