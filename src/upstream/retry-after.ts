const longestMs = 24 * 60 * 60 * 1000

/** Converts `Retry-After` (seconds or an HTTP date, RFC 9110 10.2.3) to milliseconds, at most a day. */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const text = value.trim()
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), longestMs)
}
