import { singleFlight } from '../../clock.ts'
import type { FeedResource } from '../../records/resources.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import type { ScheduleParts } from './schedule-parts.ts'

/**
 * Returns a function that loads what other replicas and commands have stored. It resolves to false
 * if there is nothing new. Concurrent callers share one run.
 */
export function createPull(
  { sync, backoff, resources, clock }: ScheduleParts,
  /** Called when a command has requested a retry of everything. */
  forget: () => void,
): () => Promise<boolean> {
  /** Endpoints that were refused before this time are retried. */
  let retryRefusalsBefore = clock.now()

  /** Backs off from an endpoint after another replica was denied access to it. */
  function adoptRefusal(resource: FeedResource): void {
    const refusal = sync.refusalOf(resource)
    const knownAt = backoff.ownFailureOf(resource)?.lastAt ?? retryRefusalsBefore
    if (!refusal || refusal.at <= knownAt) return
    const message = `${resource}: not allowed, as reported by another replica`
    backoff.failed(resource, new UpstreamError('endpoint_not_allowed', message))
  }

  return singleFlight(async () => {
    if (!(await sync.pull())) return false
    for (const resource of resources()) {
      const { lastAt = Infinity } = backoff.failureOf(resource) ?? {}
      // Another replica has read it since the failure.
      if ((sync.kept(resource)?.readAt ?? 0) > lastAt) backoff.succeeded(resource)
    }
    for (const resource of resources()) adoptRefusal(resource)
    if (!(await sync.consumeRetryRequest())) return true
    retryRefusalsBefore = clock.now()
    backoff.forget()
    forget()
    return true
  })
}
