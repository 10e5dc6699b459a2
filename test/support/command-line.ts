import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export const main = resolve(import.meta.dirname, '../../src/main.ts')

/** Runs a command in a directory of its own with these settings and no others. */
export function run(
  cwd: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { PORT: '0', ...environment },
  })
  killWithTest(child)
  return child
}

export function killWithTest(child: ChildProcess): void {
  onTestFinished(() => void child.kill('SIGKILL'))
}

export async function resultOf(child: ChildProcessWithoutNullStreams) {
  const exited = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await exited
  return { code, stdout, stderr }
}

/** Standard output up to and with a pattern. */
export async function outputUntil(
  child: Pick<ChildProcessWithoutNullStreams, 'stdout'>,
  pattern: RegExp,
): Promise<string> {
  let output = ''
  for await (const chunk of child.stdout) {
    output += String(chunk)
    if (pattern.test(output)) return output
  }
  throw new Error(`ended without ${pattern}: ${output}`)
}
