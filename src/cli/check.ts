import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { defaultPublicFeeds } from '../config.ts'
import { feeds } from '../feeds.ts'
import { tellToTryAgain } from '../collections/try-again.ts'
import { createLogger } from '../log.ts'
import { createSiteClient } from '../site-client.ts'
import { openDataDirectory } from '../store/data-directory.ts'
import { createReplicas } from '../store/replicas.ts'
import { createConnection } from '../upstream/connection.ts'
import { checkSite } from '../upstream/site-check.ts'
import { commandConfig, siteOption } from './command-config.ts'
import { openConfiguredStore } from './configured-store.ts'
import { UsageError } from './plain-fault.ts'

export const checkHelp = `Usage: npx node src/main.ts check

Tries the website of SITE_URL: connection and certificate, token, every resource that the API
Project may read, clock and time zone, budget. Says what is wrong and what to do. Exit status 0
when nothing is wrong, else 1. When nothing is wrong, a running service tries at once what it put
off. Takes about 14 of the calls that a running service may use; when they are used up it waits.

  --json       prints one JSON line for each finding
  --site NAME  which site, where SITES_FILE has several
`

export async function check(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { ...siteOption, json: { type: 'boolean' } },
  })
  const config = commandConfig(values)
  const { site } = config
  if (!site) throw new UsageError('SITE_URL is not set, so there is no website to check.')
  const directory = openDataDirectory(config.dataDirectory)
  await using store = await openConfiguredStore(config, directory)
  const id = randomUUID()
  const { count, observe } = createReplicas(store.documents, { id, now: systemClock.now })
  await observe()
  const { url: siteUrl, caPem } = site
  await using connection = createConnection({ siteUrl, caPem, now: systemClock.now })
  const client = createSiteClient({
    ...config,
    site,
    connection,
    store,
    replica: { id, count },
    clock: systemClock,
    random: Math.random,
    log: createLogger('silent'),
    isForPerson: true,
    signal: new AbortController().signal,
  })
  const published = config.publicFeeds ?? defaultPublicFeeds
  const findings = checkSite({
    dataService: client.dataService,
    token: client.tokens.current,
    budget: client.budget,
    siteUrl: site.url,
    timeZone: site.timeZone,
    needed: feeds.filter(({ id }) => published.includes(id)).map(({ resource }) => resource),
    now: systemClock.now,
  })
  if (!values.json) {
    process.stdout.write(
      `Checking ${siteUrl}. This takes about 14 of the ${config.callsPerMinute} calls a minute; when they are used up it waits.\n`,
    )
  }
  let isReadable = true
  for await (const finding of findings) {
    const { check, ok, sentence } = finding
    if (!ok) process.exitCode = 1
    if (!ok && check !== 'clock') isReadable = false
    process.stdout.write(
      values.json ? `${JSON.stringify(finding)}\n` : `${ok ? 'ok   ' : 'FAULT'}  ${sentence}\n`,
    )
  }
  if (isReadable) await tellToTryAgain(store.documents)
}
