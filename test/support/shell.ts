import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { compileCache } from './command-line.ts'
import { root } from './documentation.ts'
import type { Step } from './documented-commands.ts'
import { temporaryDirectory } from './service.ts'

/**
 * Parts of a clone that commands need. They can be symbolic links, because commands write only to
 * the top-level directory.
 */
const partsOfClone = [
  'bench',
  'bin',
  'deploy',
  'node_modules',
  'package.json',
  'src',
  'templates',
  'test',
]

export type Shell = ReturnType<typeof openShell>

/** Opens a shell in a clone of the project. Disposing it ends all processes that it started. */
export function openShell(environment: Record<string, string> = {}) {
  const temporary = temporaryDirectory()
  const directory = temporary.path
  for (const part of partsOfClone) symlinkSync(join(root, part), join(directory, part))
  const home = join(directory, 'home')
  mkdirSync(home)
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    // Stops npm from checking for a newer version of itself.
    npm_config_update_notifier: 'false',
    ...compileCache(),
    ...environment,
  }
  const running = new Map<ChildProcessWithoutNullStreams, Promise<unknown>>()

  /** Starts a command that keeps running. */
  function start(script: string): ChildProcessWithoutNullStreams {
    // Runs in a process group that can be killed as a whole, because npx does not forward signals.
    // Bash reads its startup file when standard input is a socket. `--norc` prevents that.
    const child = spawn('bash', ['--norc', '-c', script], { cwd: directory, env, detached: true })
    const closed = once(child, 'close').then(() => running.delete(child))
    running.set(child, closed)
    return child
  }

  return {
    directory,
    start,
    /** Runs commands in order in one shell, so that they share variables. */
    async run(commands: readonly string[]) {
      const mark = 'zq-end-of-command'
      const script = commands.map((command) => `${command}\nprintf '\\n${mark} %d\\n' $?\n`)
      const child = start(script.join(''))
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
      const parts = stdout.split(new RegExp(`\\n${mark} (\\d+)\\n`))
      if (parts.length !== commands.length * 2 + 1) throw new Error(`${stdout}\n${stderr}`)
      return commands.map((command, index) => ({
        command,
        out: parts[index * 2] ?? '',
        code: Number(parts[index * 2 + 1]),
      }))
    },
    async [Symbol.asyncDispose]() {
      for (const { pid, stdout, stderr } of running.keys()) {
        stdout.resume()
        stderr.resume()
        if (pid !== undefined) killGroup(pid)
      }
      await Promise.all(running.values())
      temporary[Symbol.dispose]()
    },
  }
}

/** Runs documented commands in order, with replacements in them. Returns the unexpected results. */
export async function unexpectedResults(
  shell: Shell,
  steps: readonly Step[],
  replacements: Readonly<Record<string, string>> = {},
) {
  const replaced = ({ command }: Step) =>
    Object.entries(replacements).reduce((text, [from, to]) => text.replaceAll(from, to), command)
  const results = await shell.run(steps.map(replaced))
  return results.filter(({ code, out }, index) => code !== 0 || !steps[index]?.prints.test(out))
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // All its processes may have ended since their output was read.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
