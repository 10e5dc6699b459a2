import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** How long an installation may take on a slow machine and network. */
export const installMs = 180_000

/** Installs the locked packages in a folder, unless the installed ones are up to date. */
export async function installLocked(cwd: string): Promise<void> {
  const [changedAt = 0, installedAt = 0] = [
    'package-lock.json',
    'node_modules/.package-lock.json',
  ].map((file) => statSync(join(cwd, file), { throwIfNoEntry: false })?.mtimeMs)
  if (installedAt > changedAt) return
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  await promisify(execFile)('npm', ['ci', ...options], { cwd, timeout: installMs })
}
