/*
 * What a board is answered: whatever stands between it and Feedhouse may answer too, a login for one, and
 * must change nothing. The service says by its headers that it is Feedhouse; a static host adds none, so
 * there the file says it.
 */

/** With these the service says that there is nothing to be shown any more. */
const overStatuses = [403, 404, 410]

/**
 * When it was answered, when the website was last read for it and how often it is, and what is to be shown by which version
 * of the page; or `over`, why there is nothing any more, and `hasEnded` where that is for ever. Throws
 * for what is no good answer.
 */
export function readAnswer(response, isFile) {
  return isFile ? readFile(response) : readService(response)
}

async function readService(response) {
  const { status, ok, headers } = response
  const time = Date.parse(headers.get('Board-Time') ?? '')
  if (Number.isNaN(time)) throw new Error(`answered ${status}, but not by Feedhouse`)
  if (overStatuses.includes(status))
    return { over: await response.text(), hasEnded: status !== 403 }
  if (!ok) throw new Error(`answered ${status}`)
  // A version of before does not say when the website was read.
  const readAt = Date.parse(headers.get('Board-Read') ?? '') || time
  const intervalMs = Number(headers.get('Board-Interval') ?? 0) * 1000
  const version = headers.get('Board-Version')
  return { time, readAt, intervalMs, version, items: await response.json() }
}

async function readFile(response) {
  const { feedhouse, version, readAt, intervalMs, items } = response.ok ? await response.json() : {}
  if (feedhouse !== 'board') throw new Error(`answered ${response.status}, but not by Feedhouse`)
  const time = hostTimeOf(response)
  return { time, readAt: readAt ?? time, intervalMs: intervalMs ?? 0, version, items }
}

/** Caches in between say how long they have kept an answer (RFC 9111 5.1). */
function hostTimeOf({ headers }) {
  const date = Date.parse(headers.get('Date') ?? '')
  const ageSeconds = Number(headers.get('Age') ?? 0)
  return Number.isNaN(date) ? Date.now() : date + (ageSeconds || 0) * 1000
}
