/*
 * Reads responses to a board's requests. Responses from proxies and login pages must not change the board.
 * Responses from the service are recognized by their headers, files from a static host by their content.
 */

/** @import { BoardItem } from '../../src/signage/board-item.ts' */

/**
 * @typedef {object} BoardUpdate
 * @property {number} time Time of the response. All times are in milliseconds since the epoch.
 * @property {number} readAt When the website was last read.
 * @property {number} intervalMs Interval between reads of the website.
 * @property {string | null} version Version of the page.
 * @property {readonly BoardItem[]} items
 */

/** @typedef {{ readonly over: string, readonly hasEnded: boolean }} BoardEnd Why there is no board; `hasEnded` if it will not come back. */

/** HTTP statuses that the service returns for unavailable boards. */
const overStatuses = [403, 404, 410]

/**
 * Throws if the response is an error or not from Feedhouse.
 * @param {Response} response
 * @param {boolean} isFile True on static hosts.
 * @returns {Promise<BoardUpdate | BoardEnd>}
 */
export function readAnswer(response, isFile) {
  return isFile ? readFile(response) : readService(response)
}

/** @type {(response: Response) => Promise<BoardUpdate | BoardEnd>} */
async function readService(response) {
  const { status, ok, headers } = response
  const time = Date.parse(headers.get('Board-Time') ?? '')
  if (Number.isNaN(time)) throw new Error(`status ${status}, not from Feedhouse`)
  if (overStatuses.includes(status))
    return { over: await response.text(), hasEnded: status !== 403 }
  if (!ok) throw new Error(`status ${status}`)
  // Older versions do not send `Board-Read`.
  const readAt = Date.parse(headers.get('Board-Read') ?? '') || time
  const intervalMs = Number(headers.get('Board-Interval') ?? 0) * 1000
  const version = headers.get('Board-Version')
  /** @type {readonly BoardItem[]} */
  const items = JSON.parse(await response.text())
  return { time, readAt, intervalMs, version, items }
}

/** @type {(response: Response) => Promise<BoardUpdate>} */
async function readFile(response) {
  const { feedhouse, version, readAt, intervalMs, items } = JSON.parse(
    response.ok ? await response.text() : '{}',
  )
  if (feedhouse !== 'board') throw new Error(`status ${response.status}, not from Feedhouse`)
  const time = hostTimeOf(response)
  return { time, readAt: readAt ?? time, intervalMs: intervalMs ?? 0, version, items }
}

/**
 * Returns the host's current time, including the age of cached responses (RFC 9111 5.1).
 * @type {(response: Response) => number}
 */
function hostTimeOf({ headers }) {
  const date = Date.parse(headers.get('Date') ?? '')
  const ageSeconds = Number(headers.get('Age') ?? 0)
  return Number.isNaN(date) ? Date.now() : date + (ageSeconds || 0) * 1000
}
