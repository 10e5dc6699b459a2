import type { OverviewEntry } from '../../feeds/feed.ts'
import { profiles, type Profile } from '../../records/profile.ts'
import { ifAvailable } from '../../web/calendar-entries.ts'
import type { AdminPages } from './admin-context.ts'

/** Serves pages that show what each profile may see. */
export function previewPage({ page }: AdminPages): void {
  page(
    '/preview/:id',
    async ({ catalog, publicFeeds, overviews, status, site, texts }, _query, id) => {
      const profile = profiles.find((name) => name === id)
      if (!profile) return undefined
      // Previews highlight what the next lower profile cannot see.
      const lower = profiles[profiles.indexOf(profile) - 1]
      const { collections } = await status()
      const read = collections.map(({ name }) => name)
      // Previews don't cause unused feeds to be read.
      const used = catalog.feeds.filter(
        ({ isNamedOnly, resource }) => !isNamedOnly || read.includes(resource),
      )
      const feedsOf = (each: Profile) => (each === 'public' ? publicFeeds : used)
      const previews = await Promise.all(
        feedsOf(profile).map(async (feed) => {
          const overview = await ifAvailable(overviews.read(feed, profile))
          const isInLower = lower !== undefined && feedsOf(lower).includes(feed)
          const other = isInLower ? await ifAvailable(overviews.read(feed, lower)) : undefined
          const entries = overview && previewEntries(overview, lower ? other : overview)
          return {
            title: feed.textIn(site.language).title,
            entries,
            isExtra: lower !== undefined && !isInLower,
          }
        }),
      )
      const shown = { profile, lower, text: texts.links.profileTexts[profile], previews }
      return { template: 'admin/preview', shown }
    },
  )
}

type Entries = { readonly entries: readonly OverviewEntry[] }

/**
 * Highlights content that a lower profile hides, which is everything if that profile does not have
 * the feed.
 */
export function previewEntries(shown: Entries, lower: Entries | undefined) {
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
