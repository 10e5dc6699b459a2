import type { OverviewEntry } from '../../feeds/feed-overview.ts'
import type { Profile } from '../../records/profile.ts'

/** The profile that shows one step less, which a preview is compared with. */
export const lowerProfile: Readonly<Record<Profile, Profile | undefined>> = {
  public: undefined,
  members: 'public',
  full: 'members',
}

/** Text, marked if the lower profile does not show it. */
type Marked = { readonly text: string; readonly isExtra: boolean }

/** An entry in a preview. */
export type PreviewEntry = {
  readonly time: OverviewEntry['time']
  /** True if the lower profile does not show the entry at all. */
  readonly isExtra: boolean
  readonly title: Marked
  readonly location: Marked
  readonly lines: readonly Marked[]
}

/**
 * Returns a feed's entries, and marks what a lower profile does not show. Marks everything if the lower
 * profile does not have the feed.
 */
export function previewEntries(
  shown: { readonly entries: readonly OverviewEntry[] },
  lower: { readonly entries: readonly OverviewEntry[] } | undefined,
): readonly PreviewEntry[] {
  const known = new Map(lower?.entries.map((entry) => [entry.recordId, entry]))
  return shown.entries.map(({ recordId, time, title, location, text }) => {
    const other = known.get(recordId)
    const otherLines = other?.text.split('\n')
    return {
      time,
      isExtra: other === undefined,
      title: { text: title, isExtra: other !== undefined && title !== other.title },
      location: { text: location, isExtra: other !== undefined && location !== other.location },
      lines: text.split('\n').map((line) => ({
        text: line,
        isExtra: otherLines !== undefined && line.trim() !== '' && !otherLines.includes(line),
      })),
    }
  })
}
