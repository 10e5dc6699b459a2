export type StopSignal = 'SIGINT' | 'SIGTERM'

/** Resolves to how the process is told to stop. Told again, it goes on stopping. */
export function untilStopped(): Promise<StopSignal> {
  const { promise, resolve } = Promise.withResolvers<StopSignal>()
  process.on('SIGINT', resolve)
  process.on('SIGTERM', resolve)
  return promise
}
