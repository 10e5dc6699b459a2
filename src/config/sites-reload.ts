import { unwatchFile, watchFile } from 'node:fs'
import { every, type Clock } from '../clock.ts'
import { ConfigError } from './config-error.ts'
import type { FaultySite, SitesConfig } from './sites-config.ts'
import type { Logger } from '../log.ts'

/** Reports each valid change to the sites file. An invalid change has no effect. */
export function createSitesReload(
  first: SitesConfig,
  options: {
    readonly readText: () => string
    readonly parse: (text: string) => SitesConfig
    readonly changed: (sites: SitesConfig) => void
    readonly log: Logger
  },
) {
  const { readText, parse, changed, log } = options
  let current = first
  let faults: readonly string[] = []

  function check(isForced: boolean): void {
    const text = readText()
    const isSame = text === current.text
    // A file that the settings refer to may have been added.
    if (isSame && current.faulty.length === 0 && !isForced) return void (faults = [])
    const next = parse(text)
    const added = addedFaults(current.faulty, next.faulty)
    if (added.length > 0) throw new ConfigError(added)
    faults = []
    if (isSame && next.faulty.length === current.faulty.length && !isForced) return
    current = next
    log.info({ sites: next.sites.length }, 'the sites file was read again')
    changed(next)
  }

  return {
    /** Returns the sites of the latest valid file. */
    sites: () => current.sites,
    /** Reads the file, unless it is the same as before and `isForced` is false. */
    check: (isForced = false): void => {
      try {
        check(isForced)
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error
        const isKnown = error.faults.join('\n') === faults.join('\n')
        faults = error.faults
        if (isKnown) return
        for (const fault of faults) log.error({}, `the sites file is not used: ${fault}`)
      }
    },
    /** Returns one sentence for each error that keeps the changed file from being used. */
    faults: () => faults,
  }
}

/** Sites that were invalid before do not prevent other changes. */
export function addedFaults(
  before: readonly FaultySite[],
  now: readonly FaultySite[],
): readonly string[] {
  const known = new Set(before.flatMap(({ faults }) => faults))
  return now.flatMap(({ faults }) => faults).filter((fault) => !known.has(fault))
}

export const watchLimits = {
  /** How often to check whether the file has changed. */
  watchMs: 1_000,
  /** Time after a change until the file counts as completely written. */
  quietMs: 300,
  /** How often to check regardless: files that the settings refer to may have been added. */
  checkMs: 30_000,
}

/** Calls `check` now, shortly after each change to the file, and at an interval, until aborted. */
export async function watchSitesFile(
  path: string,
  options: {
    readonly check: () => void
    readonly clock: Clock
    readonly signal: AbortSignal
    readonly limits?: typeof watchLimits
  },
): Promise<void> {
  const { check, clock, signal, limits = watchLimits } = options
  let timer: NodeJS.Timeout | undefined
  const changed = () => {
    clearTimeout(timer)
    timer = setTimeout(check, limits.quietMs)
  }
  // Follows symbolic links, so this also works in a Kubernetes volume.
  watchFile(path, { interval: limits.watchMs }, changed)
  await every(clock, limits.checkMs, signal, check)
  unwatchFile(path, changed)
  clearTimeout(timer)
}
