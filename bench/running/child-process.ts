import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

const startTimeoutMs = 60_000
const stopTimeoutMs = 10_000
/** What is kept of standard error, for the message when a process ends too early. */
const keptErrorLength = 2_000

/** Disposing ends it and waits until it has. */
export type RunningProcess = AsyncDisposable & {
  readonly pid: number
  /** What the pattern matches of standard output, once it does. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>
  /** Throws when it has ended, with what it said. */
  readonly expectRunning: () => void
}

type StartOptions = {
  readonly cwd: string
  /** This process's own when left out. */
  readonly env?: Readonly<Record<string, string>>
}

const children = new Set<ChildProcess>()
process.on('exit', () => children.forEach((child) => child.kill()))
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => process.exit(1))
}

/** A process that ends with this one. */
export function startProcess(
  command: string,
  args: readonly string[],
  { cwd, env }: StartOptions,
): RunningProcess {
  const child = spawn(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(env && { env: { ...env } }),
  })
  let output = ''
  let errors = ''
  let hasEnded = false
  const ended = once(child, 'close')
    .catch((error: unknown) => (errors = String(error)))
    .finally(() => {
      hasEnded = true
      children.delete(child)
    })
  children.add(child)
  child.stdout?.on('data', (chunk) => (output += String(chunk)))
  child.stderr?.on('data', (chunk) => (errors = `${errors}${chunk}`.slice(-keptErrorLength)))

  function expectRunning(): void {
    if (hasEnded) throw new Error(`${command} has ended: ${errors}`)
  }

  return {
    pid: child.pid ?? 0,
    expectRunning,
    async printed(pattern) {
      const tooLate = AbortSignal.timeout(startTimeoutMs)
      for (;;) {
        const match = pattern.exec(output)
        if (match) return match
        expectRunning()
        await Promise.race([once(child.stdout ?? child, 'data', { signal: tooLate }), ended])
      }
    },
    async [Symbol.asyncDispose]() {
      if (hasEnded) return
      child.kill()
      const cutOff = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
      await ended
      clearTimeout(cutOff)
    },
  }
}
