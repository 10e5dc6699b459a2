import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Goes with this process. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'feedhouse-bench-'))
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
  return directory
}
