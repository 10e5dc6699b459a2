import { ConfigError } from '../config/config-error.ts'
import { ExportError } from '../export/export-error.ts'
import { SandboxFault } from '../sandbox/sandbox-fault.ts'
import { DataDirectoryError } from '../store/data-directory.ts'
import { StoreError } from '../store/store-error.ts'

/** A fault of the command line or the surroundings that a person can mend; one plain sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The sentences for faults that need no stack trace, or undefined for those that do. */
export function userMessagesFrom(error: unknown): readonly string[] | undefined {
  if (error instanceof ConfigError) return error.faults
  if (error instanceof SandboxFault) return error.sentences
  if (error instanceof UsageError || error instanceof DataDirectoryError) return [error.message]
  if (error instanceof StoreError || error instanceof ExportError) return [error.message]
  const sentence = systemFault(error)
  return sentence === undefined ? undefined : [sentence]
}

function systemFault(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const code = String(error.code)
  if (code.startsWith('ERR_PARSE_ARGS_')) return error.message
  if ('path' in error) return `${String(error.path)} cannot be used (${code}).`
  const syscall = 'syscall' in error ? error.syscall : undefined
  if (syscall === 'getaddrinfo') return 'HOST is not the name of any address; check HOST.'
  return syscall === 'listen' ? listenFault(code, error) : undefined
}

function listenFault(code: string, error: object): string {
  const { address, port } = { address: '', port: '', ...error }
  const where = `${address}:${port}`
  switch (code) {
    case 'EADDRINUSE':
      return `Another program, perhaps another Feedhouse, already listens on ${where}; choose another port.`
    case 'EADDRNOTAVAIL':
      return `This machine has no address ${address} to listen on; check HOST.`
    case 'EACCES':
      return `Listening on ${where} is not allowed; choose a port from 1024 up.`
    default:
      return `Listening on ${where} failed (${code}).`
  }
}
