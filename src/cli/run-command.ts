import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { version, type Command, type CommandContext } from './command.ts'
import { exitStatusFrom, userMessagesFrom, UsageError } from './user-errors.ts'

/** `bin/feedhouse` also prints this file, on a Node that cannot read the sources. */
const help = readFileSync(join(import.meta.dirname, 'help.txt'), 'utf8')

/** Loads commands on demand, so that the service does not load code it never runs. */
export const commands: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  serve: () => import('./serve.ts'),
  check: () => import('./check.ts'),
  doctor: () => import('./doctor.ts'),
  alert: () => import('./alert.ts'),
  mail: () => import('./mail.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  collections: () => import('./collections.ts'),
  render: () => import('./render.ts'),
  export: () => import('./export.ts'),
  site: () => import('./site.ts'),
  link: () => import('./link.ts'),
  sandbox: () => import('./sandbox.ts'),
  'sandbox project': () => import('./sandbox-project.ts'),
}

/** Runs a command line. Prints failures to standard error and resolves to the exit status. */
export async function runCommand(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  const [name, rest] = commandIn(args[0] === 'help' ? [...args.slice(1), '--help'] : args)
  try {
    return (await dispatch(name, rest, context)) ?? 0
  } catch (error) {
    // `bin/feedhouse` explains what to do about a missing package.
    if (isMissingPackage(error)) throw error
    const sentences = userMessagesFrom(error, name) ?? [stackOf(error)]
    context.stderr.write(`${sentences.join('\n')}\n`)
    return exitStatusFrom(error, name, context.environment)
  }
}

/** Splits a command line into a command of one or two words and its arguments. */
function commandIn(args: readonly string[]): readonly [name: string, rest: readonly string[]] {
  const words = Object.hasOwn(commands, args.slice(0, 2).join(' ')) ? 2 : 1
  return [args.slice(0, words).join(' '), args.slice(words)]
}

async function dispatch(
  name: string,
  args: readonly string[],
  context: CommandContext,
): Promise<number | void> {
  if (name === '' || name === '--help') return context.stdout.write(help)
  if (name === '--version') return context.stdout.write(`${version()}\n`)
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!load) throw new UsageError(`Unknown command: ${name}; see --help.`)
  const { command } = await load()
  if (args.includes('--help')) return context.stdout.write(command.help)
  return command.run(args, context)
}

function isMissingPackage(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  // `require` throws the latter.
  return error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND'
}

function stackOf(error: unknown): string {
  return (error instanceof Error ? error.stack : undefined) ?? String(error)
}
