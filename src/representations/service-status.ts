import type { Status } from '../collections/status/status.ts'
import type { FeedStatus } from './feed-diagnostics.ts'

export type ServiceStatus = Status & { readonly feeds: readonly FeedStatus[] }
