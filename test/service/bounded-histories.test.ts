import { expect, test } from 'vitest'
import { planAlerts } from '../../src/delivery/notifications/alert-plan.ts'
import { newItems, type FoundItem } from '../../src/delivery/notifications/change-webhooks.ts'
import { linkUseBucket, storedUsesOf, type AppFetches } from '../../src/links/link-use.ts'
import { openTestStore } from '../support/store.ts'

const now = Date.parse('2026-03-05T15:00:00Z')
const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

const fetchesOf = (part: Partial<AppFetches>): AppFetches => ({
  app: 'Apple',
  at: now,
  refreshes: [],
  days: [],
  ...part,
})

/** Returns the uses that a newer version, which keeps more of them, may have stored. */
async function storedFetches(part: Partial<AppFetches>): Promise<AppFetches | undefined> {
  const { documents } = openTestStore(() => now)
  const value = JSON.stringify({ at: now, client: 'Apple', fetches: [fetchesOf(part)] })
  await documents.write([{ bucket: linkUseBucket, id: 'a', value }])
  return (await storedUsesOf(documents, 'a'))?.fetches[0]
}

const itemOf = (key: string): FoundItem => ({
  key,
  id: key,
  feed: 'news',
  make: () => ({ id: key, kind: 'news', feed: 'news', text: key }),
})

type Kept = readonly (number | undefined)[]

/** What adds numbers to a history, oldest first, and returns the ones that it keeps. */
type History = readonly [
  name: string,
  max: number,
  keep: (numbers: readonly number[]) => Kept | Promise<Kept>,
]

test.for<History>([
  [
    'problems in the weekly summary',
    50,
    (numbers) => {
      const past = numbers.map((number) => ({
        key: '',
        title: `${number}`,
        since: now,
        until: now,
      }))
      const problems = { open: [], unknown: new Set<string>() }
      const { state } = planAlerts({ causes: {}, past }, problems, { now, isQuiet: false })
      return state.past.map(({ title }) => Number(title))
    },
  ],
  [
    'items that have disappeared',
    5_000,
    (numbers) => {
      const seen = Object.fromEntries(numbers.map((number) => [`key ${number}`, now / dayMs]))
      const found = { feeds: ['news'], items: [itemOf('new')] }
      const { sent } = newItems({ feeds: ['news'], seen }, found, now)
      return Object.keys(sent.seen).flatMap((key) => /\d+/.exec(key)?.map(Number) ?? [])
    },
  ],
  [
    'stored refreshes of an app',
    8,
    async (refreshes) => (await storedFetches({ refreshes }))?.refreshes ?? [],
  ],
  [
    'stored days on which an app made requests',
    30,
    async (days) => (await storedFetches({ days }))?.days ?? [],
  ],
])('of the %s, only the latest %d are kept', async ([, max, keep]) => {
  const numbers = Array.from({ length: max + 2 }, (_, index) => index + 1)
  expect(await keep(numbers.slice(0, max))).toEqual(numbers.slice(0, max))
  expect(await keep(numbers)).toEqual(numbers.slice(2))
})
