/** Resolves when the process is told to stop. Told again, it goes on stopping. */
export function untilStopped(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  process.on('SIGINT', resolve)
  process.on('SIGTERM', resolve)
  return promise
}
