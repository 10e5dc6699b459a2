import type { TimeSource } from '../../clock.ts'
import type { FeedResource } from '../../records/resources.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import type { CollectionSync } from '../copy/collection-sync.ts'
import type { Backoff } from './backoff.ts'
import type { DetailRefresh } from './detail-refresh.ts'

/**
 * Returns a function that loads changes stored by other replicas and commands, and updates the backoff.
 */
export function createReplicaSync(options: {
  readonly sync: CollectionSync
  readonly backoff: Backoff
  readonly detailRefresh: DetailRefresh
  readonly resources: () => readonly FeedResource[]
  readonly clock: TimeSource
}): () => Promise<void> {
  const { sync, backoff, detailRefresh, resources, clock } = options
  /** Endpoints that were refused before this time are retried. */
  let retryRefusalsBefore = clock.now()
  let pulling: Promise<void> | undefined

  async function pullNow(): Promise<void> {
    await sync.pull()
    for (const resource of resources()) {
      const { lastAt = Infinity } = backoff.failureOf(resource) ?? {}
      // Another replica has read it since the failure.
      if ((sync.kept(resource)?.readAt ?? 0) > lastAt) backoff.succeeded(resource)
    }
    for (const resource of resources()) adoptRefusal(resource)
    if (!(await sync.consumeRetryRequest())) return
    retryRefusalsBefore = clock.now()
    backoff.forget()
    detailRefresh.forget()
  }

  /** Backs off from an endpoint after another replica was denied access to it. */
  function adoptRefusal(resource: FeedResource): void {
    const refusal = sync.refusalOf(resource)
    const knownAt = backoff.ownFailureOf(resource)?.lastAt ?? retryRefusalsBefore
    if (!refusal || refusal.at <= knownAt) return
    const message = `${resource}: not allowed, as reported by another replica`
    backoff.failed(resource, new UpstreamError('endpoint_not_allowed', message))
  }

  // Concurrent callers share one pull.
  return () => {
    pulling ??= pullNow().finally(() => {
      pulling = undefined
    })
    return pulling
  }
}
