import type { Finding } from '../check/site-check.ts'
import type { Environment } from '../config/environment.ts'
import { platformIn } from './platform.ts'

/** Returns lines with the feeds and the next step. */
export function checkSummary(
  findings: readonly Finding[],
  address: string,
  {
    serviceRuns,
    environment,
  }: { readonly serviceRuns: boolean; readonly environment: Environment },
): readonly string[] {
  const { start, restart } = platformIn(environment)
  const isFaulty = findings.some(({ ok }) => !ok)
  const next = serviceRuns
    ? `open ${address}/ and ${address}/status. Feedhouse is running, and`
    : `${start}, then open ${address}/ and ${address}/status. A running Feedhouse`
  return [
    ...feedLines(findings),
    isFaulty
      ? 'Next: fix the FAULT lines above, then run check again.'
      : `Next: ${next} picks this up automatically, including a new token in SITE_REFRESH_TOKEN_FILE; ${restart} after changing any other setting.`,
  ]
}

function feedLines(findings: readonly Finding[]): readonly string[] {
  const works = findings.filter(({ ok, code, feeds }) => feeds && ok && code === undefined)
  const fails = findings.filter(({ code, feeds }) => feeds && code !== undefined)
  if (works.length === 0) {
    return [
      'No feed could be read. If Feedhouse has read them before, it keeps serving its last good copies.',
    ]
  }
  const open = works.flatMap(({ feeds }) => feeds?.public ?? [])
  const byLink = works.flatMap(({ feeds }) => feeds?.byLink ?? [])
  const missing = fails.flatMap(({ feeds }) => [...(feeds?.public ?? []), ...(feeds?.byLink ?? [])])
  const listed = [
    ['Feeds that anyone can read', open],
    ['Feeds that require a feed link', byLink],
    ['Unavailable feeds', missing],
  ] as const
  return listed.flatMap(([label, ids]) => (ids.length > 0 ? [`${label}: ${ids.join(', ')}.`] : []))
}
