import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

const startTimeoutMs = 60_000
const stopTimeoutMs = 10_000
/**
 * Number of characters of standard error to include in the message when a process exits too early.
 */
const keptErrorLength = 2_000

/** Child process. Disposing it stops the process and waits until it exits. */
export type RunningProcess = AsyncDisposable & {
  readonly pid: number
  /**
   * Resolves to the first match in standard output, or rejects with the end of standard error if
   * the process exits first.
   */
  readonly waitForOutput: (pattern: RegExp, timeoutMs?: number) => Promise<RegExpExecArray>
  /** Throws an error with the end of standard error if the process has exited. */
  readonly expectRunning: () => void
}

type StartOptions = {
  readonly cwd: string
  /** Environment of the new process, by default that of this one. */
  readonly env?: Readonly<Record<string, string>>
}

const children = new Set<ChildProcess>()
process.on('exit', () => children.forEach((child) => child.kill()))
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => process.exit(1))
}

/** Starts a process that is stopped when this one exits. */
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
    async waitForOutput(pattern, timeoutMs = startTimeoutMs) {
      const timeout = AbortSignal.timeout(timeoutMs)
      for (;;) {
        const match = pattern.exec(output)
        if (match) return match
        expectRunning()
        await Promise.race([once(child.stdout ?? child, 'data', { signal: timeout }), ended])
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
