import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import type { OpenServer } from '../hosting/web-server.ts'
import type { WorkerChannel } from '../hosting/worker-server.ts'
import type { Environment } from '../config/environment.ts'
import type { Logger, LogLevel } from '../log.ts'
import type { Output } from './output.ts'
import { UsageError } from './user-errors.ts'

export type StopSignal = 'SIGINT' | 'SIGTERM'

/** Environment in which a command runs. Tests replace it to run commands in-process. */
export type CommandContext = {
  /** Settings, which take precedence over those in the `.env` file. */
  readonly environment: Environment
  /** Absolute path of the directory with `.env`. Relative paths in settings are resolved against it. */
  readonly directory: string
  readonly stdin: Readable
  readonly stdout: Output
  readonly stderr: Output
  readonly createLogger: (level: LogLevel) => Logger
  /** Resolves to the first stop signal. After the first call, signals no longer end the process. */
  readonly stopSignal: () => Promise<StopSignal>
  /** Channel to the process that owns the sockets. */
  readonly front?: WorkerChannel
  readonly openServer?: OpenServer
  /**
   * Text to use instead of the sites file, which may have become invalid, or undefined to read the
   * file.
   */
  readonly sitesText?: string | undefined
}

type Option = {
  readonly type: 'boolean' | 'string'
  readonly placeholder?: string
  readonly about: string
}

type Options = Readonly<Record<string, Option>>

export function flag(about: string) {
  return { type: 'boolean', about } as const
}

export function valueOption(placeholder: string, about: string) {
  return { type: 'string', placeholder, about } as const
}

export type Values<Declared extends Options> = {
  readonly [Name in keyof Declared]?:
    (Declared[Name]['type'] extends 'boolean' ? boolean : string) | undefined
}

/** Prints a result: the text, or with `--json` one line with the object. */
export type Print = (json: object, text: string) => void

export type Command = {
  readonly help: string
  /** Resolves to the exit status, where undefined means 0. */
  readonly run: (args: readonly string[], context: CommandContext) => Promise<number | void>
}

/** Creates a command that parses the declared options, and lists them in its help. */
export function defineCommand<const Declared extends Options>({
  options,
  help,
  takesOperands = false,
  run,
}: {
  readonly options: Declared
  /** Returns the help. `list` describes the named options; by default, all. */
  readonly help: (list: (...names: readonly (keyof Declared & string)[]) => string) => string
  readonly takesOperands?: boolean
  readonly run: (
    given: {
      readonly values: Values<Declared>
      readonly operands: readonly string[]
      readonly print: Print
    },
    context: CommandContext,
  ) => Promise<number | void>
}): Command {
  return {
    help: help((...names) => listOf(options, names.length > 0 ? names : Object.keys(options))),
    async run(args, context) {
      const parsed = parseArgs({ args: [...args], options, allowPositionals: takesOperands })
      const values = parsed.values as Values<Declared>
      const print = printTo(context.stdout, parsed.values)
      return run({ values, operands: parsed.positionals, print }, context)
    },
  }
}

/** Returns a function that prints results. Their JSON starts with the properties in `more`. */
export function printTo(
  output: Output,
  { json: isJson }: { readonly json?: unknown },
  more: object = {},
): Print {
  return (json, text) => output.write(`${isJson ? JSON.stringify({ ...more, ...json }) : text}\n`)
}

/** Returns the only operand. Throws a `UsageError` if there is none, or more than one. */
export function onlyOperand([operand, ...more]: readonly string[], usage: string): string {
  if (operand !== undefined && more.length === 0) return operand
  throw new UsageError(`Usage: npx feedhouse ${usage}`)
}

export function requireNoOperands([operand]: readonly string[]): void {
  if (operand !== undefined) throw new UsageError(`Unexpected argument: ${operand}; see --help.`)
}

const maxLineLength = 100

/** Describes options in two columns. */
function listOf(options: Options, names: readonly string[]): string {
  const usageOf = (name: string) => `  --${name} ${options[name]?.placeholder ?? ''}`.trimEnd()
  const width = Math.max(...Object.keys(options).map((name) => usageOf(name).length)) + 2
  const fitting = new RegExp(`.{1,${maxLineLength - width}}(?: |$)`, 'g')
  const lines = names.flatMap((name) => {
    const [first = '', ...others] = options[name]?.about.match(fitting) ?? []
    return [usageOf(name).padEnd(width) + first, ...others.map((line) => ' '.repeat(width) + line)]
  })
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}

/** A wrapper that changes the directory passes the original in `FEEDHOUSE_CALLER_DIRECTORY`. */
export function argumentDirectory({ environment, directory }: CommandContext): string {
  return environment['FEEDHOUSE_CALLER_DIRECTORY'] ?? directory
}

export function abortedOnStop({ stopSignal }: CommandContext, reason?: Error): AbortSignal {
  const stopping = new AbortController()
  void stopSignal().then(() => stopping.abort(reason))
  return stopping.signal
}

/** How to run, start and restart Feedhouse, by `FEEDHOUSE_PLATFORM`. */
const platforms = new Map(
  Object.entries({
    systemd: {
      command: 'sudo feedhouse',
      start: 'sudo systemctl enable --now feedhouse',
      restart: 'run "sudo systemctl restart feedhouse"',
    },
    compose: {
      command: 'docker compose exec feedhouse-1 feedhouse',
      start: 'docker compose up -d',
      restart: 'run "docker compose up -d"',
    },
    container: {
      command: 'docker exec feedhouse feedhouse',
      start: 'start the container with these settings',
      restart: 'remove the container and run it again',
    },
  }),
)
const inAClone = { command: 'npx feedhouse', start: 'npm start', restart: 'restart it' }

/** Returns the instructions for this environment. `FEEDHOUSE_PLATFORM` is undefined in a clone. */
export function platformIn({ FEEDHOUSE_PLATFORM: name = '' }: Environment): typeof inAClone {
  return platforms.get(name) ?? inAClone
}

export function version(): string {
  return JSON.parse(readFileSync(`${import.meta.dirname}/../../package.json`, 'utf8')).version
}
