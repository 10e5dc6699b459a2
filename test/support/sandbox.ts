import { readFileSync } from 'node:fs'
import { Agent, request } from 'undici'
import { expect, onTestFinished } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts'
import { createFakeClock } from './fake-clock.ts'

/** A sandbox for one test, on a clock of its own, and a caller over real HTTPS. */
export async function startSandbox(options: SandboxOptions = {}) {
  const clock = createFakeClock()
  const resources = new AsyncDisposableStack()
  onTestFinished(() => resources.disposeAsync())
  const sandbox = resources.use(await createSandbox({ now: clock.now, ...options }))
  const dispatcher = new Agent({ connect: { ca: readFileSync(sandbox.caFile) } })
  resources.defer(() => dispatcher.destroy())

  async function call(method: string, path: string, authorization?: string, body?: string) {
    const response = await request(`${sandbox.url}${path}`, {
      method: method as 'GET',
      dispatcher,
      headers: authorization === undefined ? {} : { authorization },
      body: body ?? null,
    })
    const text = await response.body.text()
    return {
      status: response.statusCode,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }

  const refreshToken = sandbox.projects[0]?.refreshToken ?? ''
  const refresh = (token = refreshToken) => call('POST', '/apps/api/refresh/', `Bearer ${token}`)
  async function get(path: string) {
    const { body } = await refresh()
    return call('GET', path, `Bearer ${body.access_token}`)
  }
  return { clock, sandbox, call, refresh, refreshToken, get }
}

/** The exact shape of an error of the service. */
export function failure(status: number, error: string, code: string) {
  return { status, error, code, message: expect.any(String) }
}
