import { watch, type FSWatcher } from 'node:fs'
import { basename, dirname } from 'node:path'
import { every, type Clock } from '../clock.ts'

export const watchLimits = {
  /** Time without further events after which the file counts as written completely. */
  quietMs: 300,
  /** Network file systems and single-file mounts in containers send no events. */
  pollMs: 30_000,
}

/**
 * Calls `check` when a file may have changed, until aborted: shortly after each change in its directory,
 * and at an interval.
 */
export async function watchFile(
  path: string,
  options: {
    readonly check: () => void
    readonly clock: Clock
    readonly signal: AbortSignal
    readonly limits?: typeof watchLimits
  },
): Promise<void> {
  const { check, clock, signal, limits = watchLimits } = options
  const name = basename(path)
  let watcher: FSWatcher | undefined
  let timer: NodeJS.Timeout | undefined

  function noteEvent(_event: string, changed: string | null): void {
    // Kubernetes replaces a link whose name begins with two periods, and not the file.
    if (changed !== null && changed !== name && !changed.startsWith('..')) return
    clearTimeout(timer)
    timer = setTimeout(check, limits.quietMs)
  }

  /** Watches the directory, because watching a file ends when the file is replaced. */
  function watchDirectory(): void {
    const before = watcher
    try {
      watcher = watch(dirname(path), noteEvent)
      watcher.on('error', () => undefined)
    } catch {
      // The directory is missing, or there are too many watchers. The interval remains.
      watcher = undefined
    }
    before?.close()
  }

  await every(clock, limits.pollMs, signal, () => {
    // The directory itself may have been replaced.
    watchDirectory()
    check()
  })
  watcher?.close()
  clearTimeout(timer)
}
