import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { StopSignal } from '../../src/cli/command.ts'
import { createOutput } from '../../src/cli/output.ts'
import { runCommand } from '../../src/cli/run-command.ts'
import { createLogger } from '../../src/log.ts'
import { atTestEnd } from './test-end.ts'
import { openWebServer } from './web-server.ts'

export const main = resolve(import.meta.dirname, '../../src/main.ts')

/** Runs a command in this process, in an empty directory with only the given settings. */
export function run(
  directory: string,
  args: readonly string[],
  environment: Record<string, string> = {},
  { isTTY = false }: { readonly isTTY?: boolean } = {},
) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  Object.assign(stdout, { isTTY })
  // A test may stop reading before the command finishes writing.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined)
  const stopping = Promise.withResolvers<StopSignal>()
  /** Resolves to the exit status. */
  const exited = runCommand(args, {
    directory,
    environment: { PORT: '0', ...environment },
    stdin,
    stdout: createOutput(stdout),
    stderr: createOutput(stderr),
    openServer: openWebServer,
    createLogger: (level) => createLogger(level, stderr),
    stopSignal: () => stopping.promise,
  }).finally(() => {
    stdout.end()
    stderr.end()
  })
  atTestEnd(async () => {
    stopping.resolve('SIGINT')
    stdin.destroy()
    await exited
  })
  return { stdin, stdout, stderr, kill: stopping.resolve, exited }
}

/** Runs a command in a separate process. */
export function runProcess(
  directory: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: directory,
    env: { PORT: '0', ...compileCache(), ...environment },
  })
  killWithTest(child)
  return child
}

/** Returns environment variables that let all processes in a test run share compiled code. */
export function compileCache(): Record<string, string> {
  const directory = process.env['NODE_COMPILE_CACHE']
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: directory }
}

export function killWithTest(child: ChildProcess): void {
  atTestEnd(() => void child.kill('SIGKILL'))
}

export async function resultOf(command: ReturnType<typeof run | typeof runProcess>) {
  const exited =
    'exited' in command ? command.exited : once(command, 'close').then(([code]) => code as number)
  const [code, stdout, stderr] = await Promise.all([
    exited,
    text(command.stdout),
    text(command.stderr),
  ])
  return { code, stdout, stderr }
}

/** Waits until a service is ready. Returns what it has printed, and its URL without a final slash. */
export async function readyService(service: Parameters<typeof outputUntil>[0]) {
  const output = await outputUntil(service, /Stop with Ctrl\+C/)
  return { output, url: /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? '' }
}

/**
 * Waits for a pattern and returns standard output up to it. Rejects with all output if the command
 * exits.
 */
export async function outputUntil(
  command: { readonly stdout: Readable; readonly stderr?: Readable },
  pattern: RegExp,
): Promise<string> {
  let output = ''
  for await (const chunk of command.stdout) {
    output += String(chunk)
    if (pattern.test(output)) return output
  }
  const errors = command.stderr ? await text(command.stderr) : ''
  throw new Error(`ended without ${pattern}: ${output}${errors}`)
}
