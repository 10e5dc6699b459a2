import { ConfigError } from '../config.ts'
import { DataDirectoryError } from '../store/data-directory.ts'

/** A fault of the command line or the surroundings that a person can mend; one plain sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The sentences for faults that need no stack trace, or undefined for those that do. */
export function plainSentencesOf(error: unknown): readonly string[] | undefined {
  if (error instanceof ConfigError) return error.faults
  if (error instanceof UsageError || error instanceof DataDirectoryError) return [error.message]
  const sentence = systemFault(error)
  return sentence === undefined ? undefined : [sentence]
}

function systemFault(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const code = String(error.code)
  if (code.startsWith('ERR_PARSE_ARGS_')) return error.message
  const where =
    'address' in error && 'port' in error ? `${String(error.address)}:${String(error.port)}` : ''
  switch (code) {
    case 'EADDRINUSE':
      return `Another program already listens on ${where}; choose another port.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${where || 'of that name'} to listen on; check HOST.`
    case 'EACCES':
      return where === ''
        ? undefined
        : `Listening on ${where} is not allowed; choose a port from 1024 up.`
    default:
      return undefined
  }
}
