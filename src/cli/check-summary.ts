import type { Finding } from '../upstream/site-check.ts'

/** What follows from the findings: which feeds there will be, and what to do next; a line each. */
export function checkSummary(findings: readonly Finding[], address: string): readonly string[] {
  const isFaulty = findings.some(({ ok }) => !ok)
  return [
    ...feedLines(findings),
    isFaulty
      ? 'Next: mend what stands after FAULT, then run check again.'
      : `Next: npm start, then look at ${address}/ and ${address}/status. A running Feedhouse picks this up by itself, also a new token in SITE_REFRESH_TOKEN_FILE; restart it after any other change of settings.`,
  ]
}

function feedLines(findings: readonly Finding[]): readonly string[] {
  const works = findings.filter(({ ok, code, feeds }) => feeds && ok && code === undefined)
  const fails = findings.filter(({ code, feeds }) => feeds && code !== undefined)
  if (works.length === 0) return ['No feed can be made from this website yet.']
  const open = works.flatMap(({ feeds }) => feeds?.public ?? [])
  const byLink = works.flatMap(({ feeds }) => feeds?.byLink ?? [])
  const missing = fails.flatMap(({ feeds }) => [...(feeds?.public ?? []), ...(feeds?.byLink ?? [])])
  const listed = [
    ['Feeds that anyone can read', open],
    ['Feeds for those with a feed link', byLink],
    ['Feeds that are not there now', missing],
  ] as const
  return listed.flatMap(([label, ids]) => (ids.length > 0 ? [`${label}: ${ids.join(', ')}.`] : []))
}
