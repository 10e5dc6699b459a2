import { shortDayInWords } from '../../records/date-words.ts'
import { readersPerDay, type LinkApp } from '../../links/link-use.ts'
import type { ListedLink } from '../../links/stored-links.ts'
import { barChart } from './bar-chart.ts'

/** Names of apps without a brand name. */
export const readerNames: Readonly<Partial<Record<LinkApp, string>>> = {
  'other calendar': 'Other calendar',
  reader: 'Feed reader',
  screen: 'Screen',
  other: 'Browser or other',
}

/** Returns the number of readers per day. Each app that reads a link counts as one reader. */
export function readersChart(
  links: readonly { readonly fetches?: ListedLink['fetches'] | undefined }[],
  now: number,
) {
  const days = readersPerDay(
    links.map(({ fetches = [] }) => fetches),
    now,
  )
  const today = new Date(now).toISOString().slice(0, 10)
  return barChart(
    days.map(({ at, apps }) => ({
      label: shortDayInWords(new Date(at).toISOString().slice(0, 10), today),
      count: apps.length,
      detail: countsInWords(apps),
    })),
  )
}

/** Returns `Apple 12, Google 5`, the most frequent first. */
function countsInWords(apps: readonly LinkApp[]): string {
  return [...Map.groupBy(apps, (app) => app)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([app, { length }]) => `${readerNames[app] ?? app} ${length}`)
    .join(', ')
}
