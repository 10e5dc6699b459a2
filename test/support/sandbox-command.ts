import { request } from 'undici'
import { outputUntil, type run, type runProcess } from './command-line.ts'
import { agentFor } from './sandbox.ts'

type Running = ReturnType<typeof run | typeof runProcess>

/**
 * Reads the line that a sandbox command prints when it is ready, and returns a client for the
 * sandbox.
 */
export async function readySandbox<C extends Running>(child: C) {
  const ready = JSON.parse(await outputUntil(child, /\n/))
  const dispatcher = agentFor(ready)
  async function call(method: 'GET' | 'POST', path: string, token: string) {
    const headers = { authorization: `Bearer ${token}` }
    const { body } = await request(`${ready.url}/apps/api/${path}`, { method, headers, dispatcher })
    return (await body.json()) as Record<string, string>
  }
  return { child, ready, call, refresh: (token: string) => call('POST', 'refresh/', token) }
}
