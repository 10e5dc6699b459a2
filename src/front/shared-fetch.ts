import type { Times } from './cached-response.ts'
import type { ResponseCache } from './response-cache.ts'
import type { ClientRequest, Fetched, WorkerFetch } from './worker-fetch.ts'

/** A fetch that other clients may be waiting for, too. */
export type StartedFetch = {
  readonly fetched: Promise<Fetched>
  /** Start time, on the clock that never jumps. */
  readonly since: number
  /** True for the client that started the fetch. */
  readonly isOwn: boolean
}

type PendingFetch = Omit<StartedFetch, 'isOwn'> & {
  /** Aborted when all clients that wait for the response have disconnected. */
  readonly unneeded: AbortController
  clients: number
}

/** Returns a function that fetches a response once for all clients that are waiting for it. */
export function createSharedFetch(
  fetchOnce: WorkerFetch['fetchOnce'],
  cache: ResponseCache,
  times: Times,
): (request: ClientRequest) => StartedFetch {
  const pending = new Map<string, PendingFetch>()

  return (request) => {
    const { asked, accept } = request
    const known = cache.peek(asked.key)?.representation
    const id = `${accept}\n${known ? `${known.site.name}\n${known.name}` : asked.key}`
    const shared = pending.get(id)
    if (shared && !shared.unneeded.signal.aborted) {
      return { ...waitFor(shared, request), isOwn: false }
    }
    const unneeded = new AbortController()
    const fetched = fetchOnce(request, unneeded.signal).finally(() => {
      if (pending.get(id) === own) pending.delete(id)
    })
    const own: PendingFetch = { fetched, since: times().elapsed, unneeded, clients: 0 }
    pending.set(id, own)
    return { ...waitFor(own, request), isOwn: true }
  }
}

function waitFor(pending: PendingFetch, { left }: ClientRequest): PendingFetch {
  pending.clients += 1
  const leave = () => {
    pending.clients -= 1
    if (pending.clients === 0) pending.unneeded.abort()
  }
  left?.addEventListener('abort', leave, { once: true })
  return pending
}
