import pLimit from 'p-limit'
import { boundedGet } from '../../check/bounded-get.ts'
import { type TimeSource, withTimeout } from '../../clock.ts'
import {
  readDepartment,
  type Department,
  type DepartmentContent,
  type ListedDepartment,
} from '../../feeds/county.ts'
import { noticeField } from '../../feeds/link-notice.ts'
import { published } from '../../feeds/published.ts'
import type { Logger } from '../../log.ts'

const freshMs = 30_000

/** Time after startup during which the county page waits for departments that have not responded yet. */
const graceMs = 120_000

/** How long a request waits for the departments, before and after they have been read once. */
const firstWaitMs = 8_000
const nextWaitMs = 1_000

/** A department's own pages wait up to eight seconds for its website. */
const requestLimits = {
  timeoutMs: 15_000,
  maxBodyBytes: 5 * 1024 * 1024,
  maxThings: 100_000,
  maxProperties: 100_000,
}
const maxConcurrent = 8

/** Statuses of feeds that are not public. An older version responds with 404. */
const notPublic = [403, 410]

/** Content of a department that cannot be read or has no public feeds. */
const noContent = { feedIds: [], calendar: undefined, news: [], items: [] }

/** The last copy of a department, which is read once. Without public feeds, it has no content. */
type ReadDepartment = { readonly etag?: string | undefined; readonly content?: DepartmentContent }

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
  const copies = new Map<string, ReadDepartment>()
  let listed: readonly ListedDepartment[] = []
  let departments: readonly Department[] | undefined
  let hasAll = false
  let readAt = -Infinity
  let reading: Promise<void> | undefined

  function keep(publicUrl: string, department: ReadDepartment): void {
    const { feedIds = [] } = department.content ?? {}
    const before = copies.get(publicUrl)?.content?.feedIds ?? []
    const isRemoval = before.some((id) => !feedIds.includes(id))
    copies.set(publicUrl, department)
    departments = undefined
    if (isRemoval) removed()
  }

  async function readOne(publicUrl: string): Promise<void> {
    try {
      const read = await fetchDepartment(serverUrl, publicUrl, copies.get(publicUrl))
      if (read && listed.some((current) => current.publicUrl === publicUrl)) keep(publicUrl, read)
    } catch (error) {
      // Keep the last copy. The status of the department's site reports the problem.
      const { host } = new URL(publicUrl)
      log.debug({ err: error, host }, 'a department cannot be read for the county page')
    }
  }

  async function readAll(): Promise<void> {
    readAt = clock.now()
    const urls = listed.map(({ publicUrl }) => publicUrl)
    await Promise.all(urls.map((url) => limited(() => readOne(url))))
    const isOver = clock.now() - startedAt >= graceMs
    hasAll ||= isOver || urls.every((url) => copies.has(url))
  }

  return {
    list(changed: readonly ListedDepartment[]) {
      listed = changed.toSorted((a, b) => a.publicUrl.localeCompare(b.publicUrl, 'en'))
      departments = undefined
      readAt = -Infinity
      const current = new Set(changed.map(({ publicUrl }) => publicUrl))
      for (const url of copies.keys()) if (!current.has(url)) copies.delete(url)
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
        .map((each) => ({ ...each, ...(copies.get(each.publicUrl)?.content ?? noContent) }))
        .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
      return departments
    },
  }
}

/** Resolves to undefined if `before` is still current, or if the response cannot be used. */
async function fetchDepartment(
  serverUrl: string,
  publicUrl: string,
  before: ReadDepartment | undefined,
): Promise<ReadDepartment | undefined> {
  const { host, pathname } = new URL(`${publicUrl}/${published.id}.json`)
  const headers = {
    host,
    'user-agent': 'Feedhouse county page',
    ...(before?.etag === undefined ? {} : { 'if-none-match': before.etag }),
  }
  const address = new URL(pathname, serverUrl)
  const response = await boundedGet(address, { headers, ...requestLimits })
  const { status, text } = response
  const isNotice = response.headers[noticeField.toLowerCase()] !== undefined
  if (isNotice || notPublic.includes(status)) return !before || before.content ? {} : undefined
  if (status !== 200 || text === undefined) return undefined
  return { etag: response.headers.etag, content: readDepartment(text, `${publicUrl}/`) }
}
