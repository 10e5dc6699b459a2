import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'
import { boardBuild } from '../../../src/features/board/board-assets.ts'

const code = boardBuild().worker
const link = 'https://feeds.example.org/l/key'

/** Runs the worker with Cache Storage in memory, as far as the worker uses it (Service Workers 5). */
function startWorker(respond: (url: string) => Promise<Response>) {
  const stored = new Map<string, Map<string, Response>>()
  const listeners = new Map<string, (event: object) => void>()
  const open = async (name: string) => {
    const entries = stored.get(name) ?? new Map<string, Response>()
    stored.set(name, entries)
    return {
      match: async (url: string) => entries.get(url)?.clone(),
      put: async (request: { url: string }, response: Response) =>
        void entries.set(request.url, response),
      keys: async () => [...entries.keys()],
    }
  }
  const caches = {
    open,
    match: async () => undefined,
    delete: async (name: string) => stored.delete(name),
  }
  const self = {
    registration: { scope: `${link}/board`, unregister: async () => true },
    addEventListener: (name: string, listener: (event: object) => void) =>
      listeners.set(name, listener),
  }
  const fetch = (given: string | { url: string }) =>
    respond(typeof given === 'string' ? given : given.url)
  runInContext(code, createContext({ self, caches, fetch, URL, AbortSignal, Response }))

  /** Resolves once the worker has responded and finished its work in the background. */
  async function request(url: string, mode: 'navigate' | 'no-cors'): Promise<void> {
    const work: Promise<unknown>[] = []
    listeners.get('fetch')?.({
      request: { url, mode, method: 'GET' },
      respondWith: (response: Promise<unknown>) => work.push(response),
      waitUntil: (more: Promise<unknown>) => work.push(more),
    })
    for (const each of work) await each
  }

  return { request, names: () => [...stored.keys()] }
}

test('stores no picture that arrives after the link has ended', async () => {
  const picture = Promise.withResolvers<Response>()
  const { request, names } = startWorker((url) =>
    url.includes('/images/')
      ? picture.promise
      : Promise.resolve(new Response('', { status: 410, headers: { 'Board-Time': 'now' } })),
  )
  const late = request(`${link}/board/images/a.png`, 'no-cors')
  await request(`${link}/board`, 'navigate')
  picture.resolve(new Response('png'))
  await late
  expect(names()).toEqual([])
})

test('stores pictures while the link works', async () => {
  const { request, names } = startWorker(() => Promise.resolve(new Response('png')))
  await request(`${link}/board/images/a.png`, 'no-cors')
  expect(names()).toEqual([`board pictures ${link}/board`])
})
