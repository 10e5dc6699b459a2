import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { root } from './documentation.ts'

/** What commands need of a clone; what they write goes into the directory itself. */
const partsOfClone = ['bench', 'node_modules', 'package.json', 'src', 'templates']

/** A shell of somebody who is in a clone of the project. Commands run as they are written. */
export type Shell = {
  /** Starts what goes on until the test is over. */
  readonly start: (command: string) => ChildProcessWithoutNullStreams
  /** One after the other in one shell, so that variables last. */
  readonly run: (
    commands: readonly string[],
  ) => Promise<readonly { readonly command: string; readonly code: number; readonly out: string }[]>
}

export function openShell(directory: string, environment: Record<string, string> = {}): Shell {
  for (const part of partsOfClone) symlinkSync(join(root, part), join(directory, part))
  const home = join(directory, 'home')
  mkdirSync(home)
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    // npm would look for a newer npm.
    npm_config_update_notifier: 'false',
    ...environment,
  }

  function start(script: string): ChildProcessWithoutNullStreams {
    // A group of its own ends as a whole: npx keeps signals to itself.
    const child = spawn('bash', ['-c', script], { cwd: directory, env, detached: true })
    onTestFinished(() => {
      if (child.pid !== undefined && isRunning(child.pid)) process.kill(-child.pid, 'SIGKILL')
    })
    return child
  }

  return {
    start,
    async run(commands) {
      const mark = 'zq-end-of-command'
      const script = commands
        .map((command) => `${command}\nprintf '\\n${mark} %d\\n' $?\n`)
        .join('')
      const child = start(script)
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
      const parts = stdout.split(new RegExp(`\\n${mark} (\\d+)\\n`))
      if (parts.length !== commands.length * 2 + 1) throw new Error(`${stdout}\n${stderr}`)
      return commands.map((command, index) => ({
        command,
        out: parts[index * 2] ?? '',
        code: Number(parts[index * 2 + 1]),
      }))
    },
  }
}

/** Whether anything is left of a group. */
function isRunning(group: number): boolean {
  try {
    return process.kill(-group, 0)
  } catch {
    return false
  }
}
