import type { Status } from '../collections/status/status.ts'
import type { FeedStatus } from './feed-diagnostics.ts'

/** Status of a site: its readings and feeds. */
export type ServiceStatus = Status & { readonly feeds: readonly FeedStatus[] }
