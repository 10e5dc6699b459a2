import { shortDayInWords } from '../../records/date-words.ts'
import { readersPerDay, type LinkApp } from '../../links/link-use.ts'
import type { ListedLink } from '../../links/stored-links.ts'
import type { ReadersOfDay } from '../../web/public-readers.ts'
import { adminMessages } from './messages.ts'

/** A bar for an hour or a day. `detail` is a breakdown of the count. */
type Bar = { readonly label: string; readonly count: number; readonly detail?: string }

/** Size of the picture in its own units. The labels below it are text on the page. */
const size = { width: 600, height: 120 }
const gap = 3
/** Height of a bar with a very low count. */
const minHeight = 2

/** Returns the geometry of a bar chart. `limit` is a count marked with a horizontal line. */
export function barChart(bars: readonly Bar[], limit?: number) {
  const most = Math.max(1, limit ?? 0, ...bars.map(({ count }) => count))
  const width = size.width / bars.length
  const heightOf = (count: number) => (count / most) * size.height
  return {
    ...size,
    most: Math.max(0, ...bars.map(({ count }) => count)),
    total: bars.reduce((sum, { count }) => sum + count, 0),
    limitY: limit === undefined ? undefined : round(size.height - heightOf(limit)),
    hasDetails: bars.some(({ detail }) => detail !== undefined),
    bars: bars.map((bar, index) => {
      const height = bar.count === 0 ? 0 : Math.max(minHeight, heightOf(bar.count))
      return {
        ...bar,
        x: round(index * width + gap / 2),
        y: round(size.height - height),
        width: round(width - gap),
        height: round(height),
      }
    }),
  }
}

const round = (value: number) => Math.round(value * 10) / 10

/** Returns the name of a kind of app. Brand names are the same in every language. */
export function appName(app: LinkApp, language: string): string {
  const names: Readonly<Partial<Record<LinkApp, string>>> = adminMessages(language).links.apps
  return names[app] ?? app
}

/** Returns the number of readers per day. Each app that reads a link counts as one reader. */
export function readersChart(
  links: readonly { readonly fetches?: ListedLink['fetches'] | undefined }[],
  now: number,
  { language }: { readonly language: string },
) {
  const fetches = links.map((link) => link.fetches ?? [])
  const today = new Date(now).toISOString().slice(0, 10)
  return barChart(
    readersPerDay(fetches, now).map(({ at, apps }) => ({
      label: shortDayInWords(new Date(at).toISOString().slice(0, 10), today, language),
      count: apps.length,
      detail: countsInWords(apps, language),
    })),
  )
}

export function publicReadersChart(
  days: readonly ReadersOfDay[],
  now: number,
  { language }: { readonly language: string },
) {
  const today = new Date(now).toISOString().slice(0, 10)
  const { families: names, reported: asReported } = adminMessages(language).status.publicReaders
  const families: Readonly<Record<string, string>> = names
  return barChart(
    days.map(({ at, apps, reported }) => {
      const counts = Object.entries(reported).map(
        ([service, count]) => [asReported(service), count] as const,
      )
      const own = Object.entries(apps).map(
        ([family, count]) => [families[family] ?? family, count] as const,
      )
      const readers = [...own, ...counts]
      return {
        label: shortDayInWords(new Date(at).toISOString().slice(0, 10), today, language),
        count: readers.reduce((sum, [, count]) => sum + count, 0),
        detail: inWords(readers),
      }
    }),
  )
}

function countsInWords(apps: readonly LinkApp[], language: string): string {
  const counts = [...Map.groupBy(apps, (app) => app)]
  return inWords(counts.map(([app, { length }]) => [appName(app, language), length]))
}

/** Returns `Apple 12, Google 5`, the most frequent first. */
function inWords(counts: readonly (readonly [name: string, count: number])[]): string {
  return counts
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}
