import { backup, backupHelp } from './cli/backup.ts'
import { check, checkHelp } from './cli/check.ts'
import { collections, collectionsHelp } from './cli/collections.ts'
import { exportFiles, exportHelp } from './cli/export.ts'
import { plainSentencesOf, UsageError } from './cli/plain-fault.ts'
import { link, linkHelp } from './cli/link.ts'
import { render, renderHelp } from './cli/render.ts'
import { sandbox, sandboxHelp } from './cli/sandbox.ts'
import { sandboxProject, sandboxProjectHelp } from './cli/sandbox-project.ts'
import { restore, restoreHelp } from './cli/restore.ts'
import { serve, serveHelp } from './cli/serve.ts'
import { version } from './version.ts'

const help = `Usage: npx node src/main.ts COMMAND [options]

  serve            run the service; without settings, the demo
  check            try the configured website and say what is wrong
  collections      accept what the website has instead of what is published
  render           write one feed to standard output
  export           write everything public as files, for static hosts
  backup           write all that lasts to a file, also while the service runs
  restore          put a backup in place of what the store holds
  link             make, list and revoke feed links, for what is not public
  sandbox          run the data service of an invented site, for development
  sandbox project  manage the API Projects of a sandbox

  --help           help, also for each command
  --version        the version

Settings are environment variables; README.md lists them.
`

type Command = {
  readonly help: string
  readonly run: (args: readonly string[]) => Promise<void>
}

const commands: Readonly<Record<string, Command>> = {
  serve: { help: serveHelp, run: serve },
  check: { help: checkHelp, run: check },
  backup: { help: backupHelp, run: backup },
  restore: { help: restoreHelp, run: restore },
  collections: { help: collectionsHelp, run: collections },
  render: { help: renderHelp, run: render },
  export: { help: exportHelp, run: exportFiles },
  link: { help: linkHelp, run: link },
  sandbox: { help: sandboxHelp, run: sandbox },
  'sandbox project': { help: sandboxProjectHelp, run: sandboxProject },
}

async function main(args: readonly string[]): Promise<void> {
  const [name] = args
  if (name === undefined || name === '--help') return print(help)
  if (name === '--version') return print(`${version()}\n`)
  const words = Object.hasOwn(commands, args.slice(0, 2).join(' ')) ? 2 : 1
  const commandName = args.slice(0, words).join(' ')
  const command = Object.hasOwn(commands, commandName) ? commands[commandName] : undefined
  if (!command) throw new UsageError(`There is no command ${name}; see --help.`)
  return args.includes('--help') ? print(command.help) : command.run(args.slice(words))
}

function print(text: string): void {
  process.stdout.write(text)
}

/** What is to be said of standard output before the end, when nothing else is. */
let outputFault: string | undefined

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // Whoever reads the output may stop reading; that must not end what runs.
  if (code !== 'EPIPE')
    outputFault = `Standard output cannot be written (${code}).
`
})
process.stderr.on('error', () => {
  // There is nowhere left to say it.
})
process.once('beforeExit', () => {
  if (outputFault === undefined) return
  process.stderr.write(outputFault)
  process.exitCode = 1
})

try {
  await main(process.argv.slice(2))
} catch (error) {
  outputFault = undefined
  const sentences = plainSentencesOf(error)
  process.stderr.write(sentences ? `${sentences.join('\n')}\n` : `${String(error)}\n`)
  if (!sentences && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.exitCode = 1
}
