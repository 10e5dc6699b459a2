import { version, type Command, type CommandContext } from './command.ts'
import { exitStatusFrom, userMessagesFrom, UsageError } from './user-errors.ts'

const help = `Usage: npx feedhouse COMMAND [options]

  serve            run the service, or the demo if no website is configured
  check            test the configured website and report problems
  doctor           test an address of any Feedhouse the way calendar apps use it
  alert test       send a test message to all receivers of alerts and changes
  mail             preview or test the emails to followers
  collections      accept or keep holding back a large loss of records
  render           write one feed to standard output
  export           export all public content as files for static hosting
  backup           back up all persistent data, even while the service is running
  restore          restore a backup
  site             add, remove, list and check the sites in SITES_FILE
  link             create, list and revoke links to private feeds
  sandbox          run the data service of a fictional website, for development
  sandbox project  manage the API Projects of a sandbox

  --help           show help; also works after a command
  --version        show the version

Settings are environment variables; docs/settings.md explains them.
`

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
  if (name === '' || name === '--help') return void context.stdout.write(help)
  if (name === '--version') return void context.stdout.write(`${version()}\n`)
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!load) throw new UsageError(`Unknown command: ${name}; see --help.`)
  const { command } = await load()
  if (args.includes('--help')) return void context.stdout.write(command.help)
  return command.run(args, context)
}

function isMissingPackage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}

function stackOf(error: unknown): string {
  return (error instanceof Error ? error.stack : undefined) ?? String(error)
}
