import type { LinkEntry } from '../../links/link-registry.ts'
import type { Target } from '../../representations/target.ts'

/** A parsed feed URL. */
export type FeedAddress = {
  readonly target: Target
  /** True for downloads. */
  readonly isDownload: boolean
  /** The link in the URL, if any. */
  readonly link: LinkEntry | undefined
  /** Route pattern for logs and metrics. */
  readonly route: string
}
