import { readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import type { Environment } from '../config/environment.ts'
import type { Logger, LogLevel } from '../log.ts'

export type StopSignal = 'SIGINT' | 'SIGTERM'

/** Everything a command takes from its process, so that it also runs without one. */
export type CommandContext = {
  /** Settings. They take precedence over those of the `.env` file. */
  readonly environment: Environment
  /** Absolute. Directory of `.env`, and base of relative paths in settings. */
  readonly directory: string
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  /** Logs to standard error. */
  readonly createLogger: (level: LogLevel) => Logger
  /** Resolves to the first signal that asks the command to stop. Signals no longer end the process then. */
  readonly stopSignal: () => Promise<StopSignal>
}

/** Returns the base of relative paths on the command line. A wrapper that changes the directory passes it on. */
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

/** Returns the version of Feedhouse (https://semver.org). */
export function version(): string {
  return JSON.parse(readFileSync(`${import.meta.dirname}/../../package.json`, 'utf8')).version
}
