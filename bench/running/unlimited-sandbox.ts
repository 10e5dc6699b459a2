import { join } from 'node:path'
import { startProcess } from './child-process.ts'

const limits = ['--calls-per-minute', '1000', '--calls-per-day', '1000000']

/** Starts a sandbox in a process of its own, with the settings of a service that reads it. */
export async function startUnlimitedSandbox(cwd: string) {
  const main = join(import.meta.dirname, '../../src/main.ts')
  const child = startProcess(process.execPath, [main, 'sandbox', ...limits], { cwd })
  const [line] = await child.waitForOutput(/^\{.*\}$/m)
  const { url, caFile, projects } = JSON.parse(line)
  const settings = {
    SITE_URL: String(url),
    SITE_REFRESH_TOKEN: String(projects[0].refreshToken),
    SITE_CA_FILE: String(caFile),
  }
  return { settings, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() }
}
