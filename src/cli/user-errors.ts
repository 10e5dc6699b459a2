import { dirname } from 'node:path'
import { ConfigError, SitesFileMissing } from '../config/config-error.ts'
import type { Environment } from '../config/environment.ts'
import { ExportError } from '../export/export-directory.ts'
import { SandboxFault } from '../sandbox/sandbox-fault.ts'
import { StoreError } from '../store/store-error.ts'

/** Problem with the command line or environment that the user can fix. The message is shown as is. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** `EX_CONFIG` in sysexits.h. */
const invalidSettingsStatus = 78

/**
 * Returns the exit status for a command's error. If settings are invalid under systemd, `serve`
 * exits with a status after which the unit does not restart the service.
 */
export function exitStatusFrom(error: unknown, command: string, environment: Environment): number {
  const isInvalid = error instanceof ConfigError || error instanceof UsageError
  const isUnderSystemd = environment['FEEDHOUSE_PLATFORM'] === 'systemd'
  return isInvalid && isUnderSystemd && command === 'serve' ? invalidSettingsStatus : 1
}

/** Returns the messages for a command's error, or undefined if the error needs a stack trace. */
export function userMessagesFrom(error: unknown, command: string): readonly string[] | undefined {
  if (error instanceof ConfigError) return error.faults
  if (error instanceof SandboxFault) return error.sentences
  if (error instanceof UsageError || error instanceof StoreError) return [error.message]
  if (error instanceof ExportError || error instanceof SitesFileMissing) return [error.message]
  const sentence = systemFault(error, command)
  return sentence === undefined ? undefined : [sentence]
}

function systemFault(error: unknown, command: string): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const code = String(error.code)
  if (code.startsWith('ERR_PARSE_ARGS_')) return argumentFault(error.message, command)
  const syscall = 'syscall' in error ? error.syscall : undefined
  if ('path' in error) {
    const path = String(error.path)
    return syscall === 'mkdtemp' ? temporaryFault(path, code) : fileFault(path, code)
  }
  if (syscall === 'getaddrinfo') return 'The host name in HOST cannot be resolved. Check HOST.'
  return syscall === 'listen' ? listenFault(code, error, command) : undefined
}

/** Rewords a message from `parseArgs` to mention the command's help. */
function argumentFault(message: string, command: string): string {
  const help = `see ${command} --help`
  const [, option] = /^Option '(?:-\w, )?(--[\w-]+) <value>' argument/.exec(message) ?? []
  if (option !== undefined) return `${option} needs a value; ${help}.`
  const [unknown] = /^(?:Unknown option|Unexpected argument) '.*?'(?=\.|$)/.exec(message) ?? []
  return unknown === undefined ? `${message}; ${help}.` : `${unknown} for ${command}; ${help}.`
}

function temporaryFault(path: string, code: string): string {
  return `The directory for temporary files ${dirname(path)} is not writable (${code}); set TMPDIR to a writable directory.`
}

function fileFault(path: string, code: string): string {
  if (code === 'ENOENT') return `${path} does not exist.`
  return code === 'EACCES' || code === 'EPERM'
    ? `${path} cannot be used: permission denied for the user with id ${process.getuid?.()}.`
    : `${path} cannot be used (${code}).`
}

function listenFault(code: string, error: object, command: string): string {
  const { address, port } = { address: '', port: '', ...error }
  const where = `${address}:${port}`
  const next = Number(port) < 65_535 ? Number(port) + 1 : Number(port) - 1
  const example = `, for example: PORT=${next} npm start`
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `Another program, possibly another Feedhouse, is already listening on ${where}. Choose another port${command === 'serve' ? example : '.'}`,
    EADDRNOTAVAIL: `This machine has no address ${address} to listen on. Check HOST.`,
    EACCES: `Listening on ${where} is not allowed. Choose port 1024 or higher.`,
  }
  return sentences[code] ?? `Listening on ${where} failed (${code}).`
}
