import { afterAll } from 'vitest'

/** Timeout for stopping the resource. It is longer than any wait while the resource starts. */
const endMs = 240_000

/**
 * Starts a resource on first use, shares it among the tests in a suite, and stops it after the last
 * one.
 */
export function startedOnce<T extends AsyncDisposable>(start: () => Promise<T>): () => Promise<T> {
  let starting: Promise<T> | undefined
  afterAll(async () => {
    const [started] = await Promise.allSettled([starting])
    if (started.status === 'fulfilled') await started.value?.[Symbol.asyncDispose]()
  }, endMs)
  return () => (starting ??= start())
}
