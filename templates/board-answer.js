/*
 * Reads responses to a board's requests. A login page or a proxy may respond in place of Feedhouse, and
 * must change nothing. The service identifies itself by headers; static hosts add none, so there the
 * file does.
 */

/** @typedef {import('../src/signage/board-item.ts').BoardItem} BoardItem */

/**
 * @typedef {object} BoardUpdate
 * @property {number} time Time of the response. All times are in milliseconds since the epoch.
 * @property {number} readAt Time of the last good reading of the website.
 * @property {number} intervalMs How often the website is read.
 * @property {string | null} version Version of the page.
 * @property {readonly BoardItem[]} items
 */

/** @typedef {{ readonly over: string, readonly hasEnded: boolean }} BoardEnd Why there is no board, and if that is final. */

/** Statuses by which the service says that there is nothing to show. */
const overStatuses = [403, 404, 410]

/**
 * Throws if the response is an error or not Feedhouse's.
 * @param {Response} response
 * @param {boolean} isFile True on static hosts.
 * @returns {Promise<BoardUpdate | BoardEnd>}
 */
export function readAnswer(response, isFile) {
  return isFile ? readFile(response) : readService(response)
}

/**
 * @param {Response} response
 * @returns {Promise<BoardUpdate | BoardEnd>}
 */
async function readService(response) {
  const { status, ok, headers } = response
  const time = Date.parse(headers.get('Board-Time') ?? '')
  if (Number.isNaN(time)) throw new Error(`answered ${status}, but not by Feedhouse`)
  if (overStatuses.includes(status))
    return { over: await response.text(), hasEnded: status !== 403 }
  if (!ok) throw new Error(`answered ${status}`)
  // Older versions do not send the time of reading.
  const readAt = Date.parse(headers.get('Board-Read') ?? '') || time
  const intervalMs = Number(headers.get('Board-Interval') ?? 0) * 1000
  const version = headers.get('Board-Version')
  /** @type {readonly BoardItem[]} */
  const items = JSON.parse(await response.text())
  return { time, readAt, intervalMs, version, items }
}

/**
 * @param {Response} response
 * @returns {Promise<BoardUpdate>}
 */
async function readFile(response) {
  const { feedhouse, version, readAt, intervalMs, items } = JSON.parse(
    response.ok ? await response.text() : '{}',
  )
  if (feedhouse !== 'board') throw new Error(`answered ${response.status}, but not by Feedhouse`)
  const time = hostTimeOf(response)
  return { time, readAt: readAt ?? time, intervalMs: intervalMs ?? 0, version, items }
}

/**
 * Returns the host's current time; caches send the age of a stored response (RFC 9111 5.1).
 * @param {Response} response
 */
function hostTimeOf({ headers }) {
  const date = Date.parse(headers.get('Date') ?? '')
  const ageSeconds = Number(headers.get('Age') ?? 0)
  return Number.isNaN(date) ? Date.now() : date + (ageSeconds || 0) * 1000
}
