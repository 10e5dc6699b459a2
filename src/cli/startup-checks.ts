import { resolve } from 'node:path'
import { secretFiles, type Environment } from '../config/environment.ts'
import type { Logger } from '../log.ts'
import { restrictDataFiles, restrictSecretFiles } from '../store/private-files.ts'

/** Restricts files with data and secrets to this user, and logs a warning for each failure. */
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
    log.warn(
      { file },
      'other users can access this file, and its mode could not be changed; run chmod on it',
    )
  }
}
