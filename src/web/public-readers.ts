import { z } from 'zod'
import { dayMs, minuteMs, type TimeSource } from '../clock.ts'
import { parsedJson } from '../json.ts'
import { withFallback } from '../store/store-error.ts'
import { retryWrite, type Documents } from '../store/store.ts'
import { clientFamily } from './client-family.ts'

const bucket = 'public-readers'

/** Days that are kept and shown. */
const keptDays = 30

const flushMs = minuteMs

/** Families of clients without a reader. */
const notReaders = ['monitoring', 'robot', 'script']

/**
 * Web services that fetch a feed once for all of their users and report the number of subscribers,
 * with the beginning of their User-Agent.
 */
const services = [
  ['Feedly', /^Feedly\/[\d.]+ \(\+https?:\/\/www\.feedly\.com\/fetcher/i],
  ['Inoreader', /^Inoreader\/[\d.]+ \(\+https?:\/\/www\.inoreader\.com\//i],
  ['NewsBlur', /^NewsBlur (?:Feed|Page) Fetcher - /i],
  ['Feedbin', /^Feedbin feed-id:\d+ - /i],
  ['The Old Reader', /^Mozilla\/5\.0 \(compatible; theoldreader\.com; /i],
  ['BazQux', /^(?:Mozilla\/5\.0 \(compatible; )?BazQux\/[\d.]+;? \(?\+https?:\/\/bazqux\.com\//i],
] as const

const subscribers = /\b(\d{1,7}) subscribers?\b/i

/** Anyone can claim to be a service with any number of subscribers. Larger numbers are ignored. */
const maxSubscribers = 10_000

const stored = z.object({
  /** Number of readers by app family. */
  apps: z.record(z.string(), z.number()),
  /** Number of subscribers by service and feed. */
  services: z.record(z.string(), z.record(z.string(), z.number())),
})

type Readers = z.infer<typeof stored>

export type ReadersOfDay = {
  readonly at: number
  /** Number of readers by app family. */
  readonly apps: Readonly<Record<string, number>>
  /** Number of subscribers that each service reports. */
  readonly reported: Readonly<Record<string, number>>
}

export type PublicReaders = {
  /** Counts readers of a public feed who use the same client. */
  readonly note: (feedId: string, userAgent: string | undefined, count: number) => void
  /** Resolves to the readers of the last days, the latest day last. */
  readonly days: () => Promise<readonly ReadersOfDay[]>
}

/** Counts the readers of public feeds by day and app. Stores numbers only. */
export function createPublicReaders(documents: Documents, clock: TimeSource): PublicReaders {
  let pending: Readers = { apps: {}, services: {} }
  let storedAt = clock.now()

  const load = async (day: number) => {
    const { value = '', revision = 0 } = (await documents.get(bucket, String(day))) ?? {}
    return { readers: stored.safeParse(parsedJson(value)).data, revision }
  }

  async function store(): Promise<void> {
    const added = pending
    pending = { apps: {}, services: {} }
    storedAt = clock.now()
    const day = Math.floor(storedAt / dayMs)
    const id = String(day)
    const add = async () => {
      const { readers, revision } = await load(day)
      const value = JSON.stringify(merged(readers, added))
      const expiresAt = storedAt + keptDays * dayMs
      const write = { bucket, id, value, expiresAt }
      return (await documents.write([write], { bucket, id, revision })) || undefined
    }
    let isStored = false
    try {
      isStored = (await retryWrite(add)) ?? false
    } finally {
      if (!isStored) pending = merged(added, pending)
    }
  }

  return {
    note(feedId, userAgent = '', count) {
      const family = clientFamily(userAgent)
      const reported = reportedBy(userAgent)
      if (reported) {
        const { service, number } = reported
        if (number > maxSubscribers) return
        pending = merged(pending, { apps: {}, services: { [service]: { [feedId]: number } } })
      } else if (!notReaders.includes(family)) {
        pending = merged(pending, { apps: { [family]: count }, services: {} })
      }
      if (clock.now() >= storedAt + flushMs) void withFallback(store)
    },
    async days() {
      await withFallback(store)
      const today = Math.floor(clock.now() / dayMs)
      const days = Array.from({ length: keptDays }, (_, index) => today - keptDays + 1 + index)
      return Promise.all(
        days.map(async (day) => {
          const { readers } = await load(day)
          const ofServices = Object.entries(readers?.services ?? {}).map(
            ([service, feeds]) => [service, sum(Object.values(feeds))] as const,
          )
          const reported = Object.fromEntries(ofServices)
          return { at: day * dayMs, apps: readers?.apps ?? {}, reported }
        }),
      )
    },
  }
}

/** Returns a service and the number of subscribers that it reports, if the client is one. */
function reportedBy(userAgent: string) {
  const [service] = services.find(([, start]) => start.test(userAgent)) ?? []
  const [, number] = (service && subscribers.exec(userAgent)) || []
  return service && number !== undefined ? { service, number: Number(number) } : undefined
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** Adds readers. The latest number of subscribers replaces an earlier one. */
function merged(before: Readers | undefined, { apps, services: latest }: Readers): Readers {
  const counts = { ...before?.apps }
  for (const [app, count] of Object.entries(apps)) counts[app] = (counts[app] ?? 0) + count
  const known = { ...before?.services }
  for (const [service, feeds] of Object.entries(latest)) {
    known[service] = { ...known[service], ...feeds }
  }
  return { apps: counts, services: known }
}
