import type { Finding } from '../check/site-check.ts'

/** How Feedhouse is started, and restarted with other settings, by the value of `FEEDHOUSE_PLATFORM`. */
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
 * Returns a line each about which feeds there will be, and what to do next.
 *
 * @param platform what runs Feedhouse; undefined for a clone
 */
export function checkSummary(
  findings: readonly Finding[],
  address: string,
  platform = '',
): readonly string[] {
  const { start, restart } = waysToStart.get(platform) ?? inAClone
  const isFaulty = findings.some(({ ok }) => !ok)
  return [
    ...feedLines(findings),
    isFaulty
      ? 'Next: mend what stands after FAULT, then run check again.'
      : `Next: ${start}, then look at ${address}/ and ${address}/status. A running Feedhouse picks this up by itself, also a new token in SITE_REFRESH_TOKEN_FILE; ${restart} after any other change of settings.`,
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
