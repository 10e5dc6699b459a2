import { resolve } from 'node:path'
import { secretFiles, type Environment } from '../config/environment.ts'
import type { Logger } from '../log.ts'
import { restrictDataFiles, restrictSecretFiles } from '../store/private-files.ts'

/** Takes files with data and secrets away from others, and warns of those where that fails. */
export function restrictFiles(
  options: {
    readonly environment: Environment
    /** Relative paths in settings start here. */
    readonly directory: string
    readonly dataDirectory: string
  },
  log: Logger,
): void {
  const { environment, directory, dataDirectory } = options
  const secrets = secretFiles(environment).map((file) => resolve(directory, file))
  const open = [...restrictDataFiles(dataDirectory), ...restrictSecretFiles(secrets)]
  for (const file of open) {
    log.warn({ file }, 'others can use this file, and its mode cannot be changed: chmod it')
  }
}
