import type { Finding } from '../check/site-check.ts'

/** Instructions for starting Feedhouse and restarting it with new settings, by `FEEDHOUSE_PLATFORM`. */
const waysToStart = new Map([
  [
    'systemd',
    {
      start: 'sudo systemctl enable --now feedhouse',
      restart: 'run "sudo systemctl restart feedhouse"',
    },
  ],
  ['compose', { start: 'docker compose up -d', restart: 'run "docker compose up -d"' }],
  [
    'container',
    {
      start: 'start the container with these settings',
      restart: 'remove the container and run it again',
    },
  ],
])
const inAClone = { start: 'npm start', restart: 'restart it' }

/**
 * Returns lines with the feeds and the next step. The platform is `FEEDHOUSE_PLATFORM`, which is
 * undefined in a clone of the repository.
 */
export function checkSummary(
  findings: readonly Finding[],
  address: string,
  setup: { readonly platform: string | undefined; readonly serviceRuns: boolean },
): readonly string[] {
  const { start, restart } = waysToStart.get(setup.platform ?? '') ?? inAClone
  const isFaulty = findings.some(({ ok }) => !ok)
  const next = setup.serviceRuns
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
    return ['No feed could be read now. A running Feedhouse keeps serving its last good copies.']
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
