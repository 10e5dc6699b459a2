import type { Limit, RateLimiter } from './store.ts'

/** A window in which an event is counted. */
export type Counted = {
  readonly windows: RateLimiter
  readonly name: string
  readonly limits: readonly Limit[]
}

/** Result of counting an event. `name` is the window whose limit would have been exceeded. */
export type Admission =
  | {
      readonly ok: true
      /** Removes the event from all windows. */
      readonly release: () => Promise<void>
    }
  | { readonly ok: false; readonly name: string; readonly retryAfterMs: number }

/** Counts an event in all windows, or in none of them if it would exceed a limit. */
export async function takeFromAll(counted: readonly Counted[]): Promise<Admission> {
  const taken: (() => Promise<void>)[] = []
  const release = async () => {
    for (const each of taken) await each()
  }
  for (const { windows, name, limits } of counted) {
    const result = await windows.take(name, limits)
    if (!result.ok) {
      await release()
      return { ...result, name }
    }
    taken.push(() => windows.release(name, result.id))
  }
  return { ok: true, release }
}
