import pLimit from 'p-limit'
import { boundedGet } from '../../check/bounded-get.ts'
import { type TimeSource, withTimeout } from '../../clock.ts'
import {
  departmentFrom,
  departmentPaths,
  readDepartmentFeed,
  type Department,
  type DepartmentContent,
} from '../../feeds/county.ts'
import type { Logger } from '../../log.ts'
import { noticeField } from '../web/feed-response.ts'

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

/** A department's feed, and how to read it. */
type Source = {
  readonly url: string
  readonly department: ListedDepartment
  readonly kind: keyof typeof departmentPaths
}

/** The last copy of a feed, which is read once. A feed that is not public has no content. */
type ReadFeed = {
  readonly etag?: string | undefined
  readonly content?: DepartmentContent
}

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
  /** The last copies by URL. */
  const feeds = new Map<string, ReadFeed>()
  let listed: readonly ListedDepartment[] = []
  let departments: readonly Department[] | undefined
  let hasAll = false
  let readAt = -Infinity
  let reading: Promise<void> | undefined

  const sources = () => listed.flatMap(sourcesOf)

  const contentsOf = (department: ListedDepartment) =>
    sourcesOf(department).flatMap(({ url }) => feeds.get(url)?.content ?? [])

  function keep(url: string, feed: ReadFeed): void {
    const isRemoval = feed.content === undefined && feeds.get(url)?.content !== undefined
    feeds.set(url, feed)
    departments = undefined
    if (isRemoval) removed()
  }

  async function read(source: Source): Promise<void> {
    const { url, kind, department } = source
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
      if (!sources().some((current) => current.url === url)) return
      const isNotice = response.headers[noticeField.toLowerCase()] !== undefined
      const isPrivate = isNotice || notPublic.includes(status)
      if (status === 200 && text !== undefined && !isPrivate) {
        keep(url, {
          etag: response.headers.etag,
          content: readDepartmentFeed(kind, text, department),
        })
      }
      if (isPrivate && (!before || before.content)) keep(url, {})
    } catch (error) {
      // Keep the last copy. The status of the department's site reports the problem.
      log.debug({ err: error, host }, 'a department cannot be read for the county page')
    }
  }

  async function readAll(): Promise<void> {
    readAt = clock.now()
    const all = sources()
    await Promise.all(all.map((source) => limited(() => read(source))))
    const isOver = clock.now() - startedAt >= graceMs
    hasAll ||= isOver || all.every(({ url }) => feeds.has(url))
  }

  return {
    list(changed: readonly ListedDepartment[]) {
      listed = changed.toSorted((a, b) => a.publicUrl.localeCompare(b.publicUrl, 'en'))
      departments = undefined
      readAt = -Infinity
      const current = new Set(sources().map(({ url }) => url))
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
        .map((department) => departmentFrom(department, contentsOf(department)))
        .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
      return departments
    },
  }
}

function sourcesOf(department: ListedDepartment): readonly Source[] {
  const { calendar, news, items } = departmentPaths
  const source = (kind: Source['kind'], path: string) => ({
    url: `${department.publicUrl}${path}`,
    department,
    kind,
  })
  return [
    source('calendar', calendar),
    ...news.map((path) => source('news', path)),
    source('items', items),
  ]
}
