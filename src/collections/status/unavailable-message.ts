import type { FeedResource } from '../../records/resources.ts'
import { adviceFor } from '../../upstream/advice.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import type { Failure } from '../schedule/backoff.ts'

/** Returns why a resource cannot be shown, and what to do, for commands. */
export function missingCopy(resource: FeedResource, failure: Failure | undefined): string {
  const error = failure?.error
  const why =
    error instanceof UpstreamError
      ? `the website could not be read (${error.kind}). ${adviceFor(error)}`
      : 'reading the website has taken too long. Try again shortly.'
  return `There is no copy of ${resource} yet, and ${why}`
}
