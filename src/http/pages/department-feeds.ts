import pLimit from 'p-limit'
import { boundedGet } from '../../check/bounded-get.ts'
import { type TimeSource, withTimeout } from '../../clock.ts'
import { departmentPaths, nameInFeeds, type Department } from '../../feeds/county.ts'
import type { Logger } from '../../log.ts'
import type { BoardItem } from '../../signage/board-item.ts'

const freshMs = 30_000

/** Time after startup during which the county page waits for departments that have not responded yet. */
const graceMs = 120_000

/** How long a request waits for the departments, before and after they have been read once. */
const firstWaitMs = 8_000
const nextWaitMs = 1_000

/** A department's own pages wait up to eight seconds for its website. */
const requestLimits = { timeoutMs: 15_000, maxBodyBytes: 5 * 1024 * 1024 }
const maxConcurrent = 8

/** Statuses of a feed that is not public, or that the website does not provide. */
const notPublic = [403, 404, 410]

export type ListedDepartment = Omit<Department, 'published'>

type ReadFeed = { readonly etag?: string | undefined; readonly text?: string | undefined }

/**
 * Reads the public feeds of departments from the server, like any other client. Keeps the last copy of each.
 * Calls `removed` when a feed is no longer public, so nothing with its entries may be sent.
 */
export function createDepartmentReader(
  serverUrl: string,
  removed: () => void,
  clock: TimeSource,
  log: Logger,
) {
  const startedAt = clock.now()
  const limited = pLimit(maxConcurrent)
  /** The last copies by URL. Feeds that are not public have no text. */
  const feeds = new Map<string, ReadFeed>()
  let listed: readonly ListedDepartment[] = []
  let departments: readonly Department[] | undefined
  let hasAll = false
  let readAt = -Infinity
  let reading: Promise<void> | undefined

  const urls = () => new Set(listed.flatMap(urlsOf))

  function keep(url: string, feed: ReadFeed): void {
    const isRemoval = feed.text === undefined && feeds.get(url)?.text !== undefined
    feeds.set(url, feed)
    departments = undefined
    if (isRemoval) removed()
  }

  async function read(url: string): Promise<void> {
    const { host, pathname, search } = new URL(url)
    const before = feeds.get(url)
    const headers = {
      host,
      'user-agent': 'Feedhouse county page',
      ...(before?.etag === undefined ? {} : { 'if-none-match': before.etag }),
    }
    try {
      const address = new URL(`${pathname}${search}`, serverUrl)
      const response = await boundedGet(address, { headers, ...requestLimits })
      const { status, text } = response
      if (!urls().has(url)) return
      if (status === 200 && text !== undefined) keep(url, { etag: response.headers.etag, text })
      if (notPublic.includes(status) && (!before || before.text !== undefined)) keep(url, {})
    } catch (error) {
      // Keep the last copy. The status of the department's site reports the problem.
      log.debug({ err: error, host }, 'a department cannot be read for the county page')
    }
  }

  async function readAll(): Promise<void> {
    readAt = clock.now()
    const all = [...urls()]
    await Promise.all(all.map((url) => limited(() => read(url))))
    const isOver = clock.now() - startedAt >= graceMs
    hasAll ||= isOver || all.every((url) => feeds.has(url))
  }

  return {
    list(changed: readonly ListedDepartment[]) {
      listed = changed.toSorted((a, b) => a.publicUrl.localeCompare(b.publicUrl, 'en'))
      departments = undefined
      readAt = -Infinity
      const current = urls()
      for (const url of feeds.keys()) if (!current.has(url)) feeds.delete(url)
    },
    /** Returns the same array until something changes, and undefined while departments are still starting. */
    async departments(): Promise<readonly Department[] | undefined> {
      if (!hasAll || clock.now() - readAt >= freshMs) {
        reading ??= readAll().finally(() => (reading = undefined))
      }
      const waitMs = hasAll ? nextWaitMs : firstWaitMs
      if (reading) await withTimeout(reading, waitMs, () => undefined)
      if (!hasAll) return undefined
      departments ??= listed
        .map((department) => departmentWith(department, feeds))
        .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
      return departments
    },
  }
}

function urlsOf({ publicUrl }: ListedDepartment): readonly string[] {
  const { calendar, news, items } = departmentPaths
  return [calendar, ...news, items].map((path) => `${publicUrl}${path}`)
}

function departmentWith(department: ListedDepartment, feeds: ReadonlyMap<string, ReadFeed>) {
  const textAt = (path: string) => feeds.get(`${department.publicUrl}${path}`)?.text
  const news = departmentPaths.news.flatMap((path) => textAt(path) ?? [])
  const items = JSON.parse(textAt(departmentPaths.items) ?? '[]') as readonly BoardItem[]
  const published = { calendar: textAt(departmentPaths.calendar), news, items }
  return { ...department, name: nameInFeeds(published) ?? department.name, published }
}
