import { expect, test } from 'vitest'
import { planAlerts } from '../../src/app/notifications/alert-plan.ts'
import { newItems, type FoundItem } from '../../src/app/notifications/change-webhooks.ts'
import { enqueued } from '../../src/app/notifications/delivery-queue.ts'
import { changesAfter } from '../../src/collections/copy/ledger-changes.ts'
import {
  linkUseBucket,
  mergeFetches,
  storedUsesOf,
  type AppFetches,
} from '../../src/links/link-use.ts'
import type { RecordedChange } from '../../src/records/recorded-change.ts'
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

const changeAt = (hour: number): RecordedChange => {
  const facts = { title: `Drill ${hour}`, startDate: '2026-03-20' }
  const at = hour * hourMs
  return {
    revision: hour,
    since: at,
    at,
    before: facts,
    after: { ...facts, title: `Drill ${hour + 1}` },
  }
}

const itemOf = (key: string): FoundItem => ({
  key,
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
      const past = numbers.map((number) => ({ title: `${number}`, since: now, until: now }))
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
    'messages that wait for a receiver',
    7,
    (numbers) =>
      enqueued<number>(undefined, numbers, { now, max: 7, maxAgeMs: dayMs }).entries.map(
        ({ item }) => item,
      ),
  ],
  [
    'changes of a record',
    20,
    (numbers) =>
      numbers
        .map(changeAt)
        .reduce<readonly RecordedChange[]>(changesAfter, [])
        .map(({ revision }) => revision),
  ],
  [
    'refreshes of an app',
    8,
    (hours) =>
      mergeFetches([], [fetchesOf({ refreshes: hours.map((hour) => hour * hourMs) })])
        .flatMap(({ refreshes }) => refreshes)
        .map((at) => at / hourMs),
  ],
  [
    'days on which an app made requests',
    30,
    (days) => mergeFetches([], [fetchesOf({ days })]).flatMap((fetches) => fetches.days),
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
