import type { Readable, Writable } from 'node:stream'
import type { Environment } from '../config/environment.ts'
import type { Logger, LogLevel } from '../log.ts'

export type StopSignal = 'SIGINT' | 'SIGTERM'

/** Everything a command takes from its process, so that it also runs without one. */
export type CommandContext = {
  /** Settings; those of a `.env` file have less weight. */
  readonly environment: Environment
  /** Absolute. `.env` is read from here, and relative paths in settings start here. */
  readonly directory: string
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  /** Logs to standard error. */
  readonly createLogger: (level: LogLevel) => Logger
  /** Resolves to the first signal that asks the command to stop; from then on none ends the process. */
  readonly stopSignal: () => Promise<StopSignal>
}

/** Returns the directory where relative paths of the command line start. A wrapper that changes the directory names it. */
export function argumentDirectory({
  environment,
  directory,
}: Pick<CommandContext, 'environment' | 'directory'>): string {
  return environment['FEEDHOUSE_CALLER_DIRECTORY'] ?? directory
}

export type Command = {
  readonly help: string
  /** Resolves to the exit status; nothing means 0. */
  readonly run: (args: readonly string[], context: CommandContext) => Promise<number | void>
}
