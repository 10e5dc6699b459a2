import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a directory that is removed when this process exits. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'feedhouse-bench-'))
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
  return directory
}
