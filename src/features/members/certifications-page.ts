import { training } from '../../feeds/catalog/training.ts'
import { withText } from '../../feeds/feed.ts'
import { shortDayInWords, weekday } from '../../records/date-words.ts'
import { expiryDays, firstExpiryDays } from '../../records/expiry-days.ts'
import { daysAfter, daysBetween } from '../../records/site-time.ts'
import type { Page } from '../../web/page-handler.ts'
import { requireReadable } from '../../web/viewer.ts'

/** Number of days for which expired certifications are listed. */
const expiredDays = 90

/** Page with the certifications that expire soon, for links that include them. */
export const certificationsPage: Page = {
  kind: 'overview',
  async show(page) {
    const { context, viewer, today, now, render } = page
    const { site, catalog, collections } = context
    const feed = catalog.feeds.find(({ id }) => id === training.id)
    if (!feed) return undefined
    requireReadable(feed, viewer)
    const source = await collections.read(feed.resource)
    const range = {
      from: daysAfter(today, -expiredDays),
      to: daysAfter(today, firstExpiryDays),
      parts: [],
    }
    const listed = [...(feed.listed?.(source, range, { site, profile: viewer.profile, now }) ?? [])]
    const shown = listed
      .map(({ title, recordId, start }) => {
        const day = start.slice(0, 10)
        const left = daysBetween(today, day)
        const within = left < 0 ? 0 : expiryDays.findLast((days) => left <= days)
        // A printed page must not say `Today`.
        const date = shortDayInWords(day, today, site.language)
        return { title, recordId, within, left, day: `${weekday(day, site.language)} ${date}` }
      })
      .toSorted((a, b) => a.left - b.left)
    const groups = [0, ...expiryDays.toReversed()].map((within) => ({
      within,
      listed: shown.filter((each) => each.within === within),
    }))
    const { title } = withText(feed, site.language)
    return render('members/certifications', { title, groups, feedId: feed.id })
  },
}
