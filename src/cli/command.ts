import { readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import type { Environment } from '../config/environment.ts'
import type { WorkerChannel } from '../app/worker-server.ts'
import type { Logger, LogLevel } from '../log.ts'

export type StopSignal = 'SIGINT' | 'SIGTERM'

/** Environment in which a command runs. Tests replace it to run commands in-process. */
export type CommandContext = {
  /** Settings, which take precedence over those in the `.env` file. */
  readonly environment: Environment
  /** Absolute path of the directory with `.env`. Relative paths in settings are resolved against it. */
  readonly directory: string
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  /** Logs to standard error. */
  readonly createLogger: (level: LogLevel) => Logger
  /** Resolves to the first stop signal. Once called, signals no longer end the process. */
  readonly stopSignal: () => Promise<StopSignal>
  /** Channel to the process that has the sockets; undefined to serve in this process. */
  readonly front?: WorkerChannel
  /** Text to serve instead of the sites file, which may have become invalid; undefined to read the file. */
  readonly sitesText?: string | undefined
}

/**
 * Returns the directory that relative paths in arguments are resolved against. A wrapper script
 * that changes the directory passes the original one in `FEEDHOUSE_CALLER_DIRECTORY`.
 */
export function argumentDirectory({ environment, directory }: CommandContext): string {
  return environment['FEEDHOUSE_CALLER_DIRECTORY'] ?? directory
}

export type Command = {
  readonly help: string
  /** Resolves to the exit status, where undefined means 0. */
  readonly run: (args: readonly string[], context: CommandContext) => Promise<number | void>
}

/** Returns the version of Feedhouse (https://semver.org). */
export function version(): string {
  return JSON.parse(readFileSync(`${import.meta.dirname}/../../package.json`, 'utf8')).version
}
