import type { Clock } from '../../clock.ts'
import type { Logger } from '../../log.ts'
import type { FeedResource } from '../../records/resources.ts'
import type { CollectionSync } from '../copy/collection-sync.ts'
import type { Attempts, Backoff } from './backoff.ts'
import type { Demand } from './reading-interval.ts'

/** The collections of a site, and the state that decides when they are read. */
export type ScheduleParts = {
  readonly sync: CollectionSync
  /** Backoff of the whole site. */
  readonly backoff: Backoff
  readonly attempts: Attempts
  readonly demand: Demand
  readonly resources: () => readonly FeedResource[]
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
}
