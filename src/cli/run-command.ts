import { version } from '../version.ts'
import { backupCommand } from './backup.ts'
import { checkCommand } from './check.ts'
import { collectionsCommand } from './collections.ts'
import type { Command, CommandContext } from './command.ts'
import { exportCommand } from './export.ts'
import { linkCommand } from './link.ts'
import { userMessagesFrom, UsageError } from './user-errors.ts'
import { renderCommand } from './render.ts'
import { restoreCommand } from './restore.ts'
import { sandboxCommand } from './sandbox.ts'
import { sandboxProjectCommand } from './sandbox-project.ts'
import { serveCommand } from './serve.ts'

const help = `Usage: npx feedhouse COMMAND [options]

  serve            run the service; without settings, the demo
  check            try the configured website and say what is wrong
  collections      accept a loss of records that is held, or keep holding it
  render           write one feed to standard output
  export           write everything public as files, for static hosts
  backup           write all that lasts to a file, also while the service runs
  restore          put a backup in place of what the store holds
  link             make, list and revoke feed links, for what is not public
  sandbox          run the data service of an invented site, for development
  sandbox project  manage the API Projects of a sandbox

  --help           help, also for each command
  --version        the version

Settings are environment variables; docs/settings.md explains them.
`

const commands: Readonly<Record<string, Command>> = {
  serve: serveCommand,
  check: checkCommand,
  backup: backupCommand,
  restore: restoreCommand,
  collections: collectionsCommand,
  render: renderCommand,
  export: exportCommand,
  link: linkCommand,
  sandbox: sandboxCommand,
  'sandbox project': sandboxProjectCommand,
}

/** Runs a command line. Resolves to the exit status; failures are messages on standard error. */
export async function runCommand(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  try {
    return (await dispatch(args, context)) ?? 0
  } catch (error) {
    const sentences = userMessagesFrom(error) ?? [stackOf(error)]
    context.stderr.write(`${sentences.join('\n')}\n`)
    return 1
  }
}

async function dispatch(args: readonly string[], context: CommandContext): Promise<number | void> {
  const [first] = args
  if (first === undefined || first === '--help') return void context.stdout.write(help)
  if (first === '--version') return void context.stdout.write(`${version()}\n`)
  const words = Object.hasOwn(commands, args.slice(0, 2).join(' ')) ? 2 : 1
  const name = args.slice(0, words).join(' ')
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new UsageError(`There is no command ${first}; see --help.`)
  if (args.includes('--help')) return void context.stdout.write(command.help)
  return command.run(args.slice(words), context)
}

function stackOf(error: unknown): string {
  return (error instanceof Error ? error.stack : undefined) ?? String(error)
}
