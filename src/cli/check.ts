import { storeDirectory } from '../config/config.ts'
import type { Environment } from '../config/environment.ts'
import type { Finding } from '../check/site-check.ts'
import { systemClock } from '../clock.ts'
import { isRunning } from '../store/replicas.ts'
import { writeFailure } from '../store/service-signals.ts'
import {
  configuredAddress,
  forEachSite,
  openConfiguredStore,
  sitesOptions,
  type ChosenSite,
} from './chosen-site.ts'
import { defineCommand, flag, platformIn, type CommandContext } from './command.ts'
import { showProgress } from './progress.ts'
import { feedLines, siteFindings } from './site-findings.ts'
import { UsageError } from './user-errors.ts'

export const command = defineCommand({
  options: {
    databases: flag(
      'also list the custom databases, their fields and suggested DATABASE_FEEDS settings; uses one more call, plus one for each database',
    ),
    json: flag('print one JSON line per finding'),
    ...sitesOptions('check all sites in SITES_FILE, one after another'),
  },
  help: (list) => `Usage: npx feedhouse check

Tests the website at SITE_URL: connection and certificate, token, all endpoints, clock and time
zone, API calls used, whether phones can reach PUBLIC_URL, and the receivers of alerts. Reports each
problem, how to fix it and who can do so, then lists the available feeds. The exit status is 0 if
there are no problems, otherwise 1. If the website works, a running service immediately retries
failed reads. Uses about 14 API calls, which count toward the service's limit, and waits if the limit
is reached.

${list()}`,
  run: ({ values }, context) =>
    forEachSite(values, context, (site) => check(site, values, context)),
})

async function check(
  { config, print }: ChosenSite,
  values: { readonly json?: boolean | undefined; readonly databases?: boolean | undefined },
  context: CommandContext,
): Promise<number> {
  const { stdout, createLogger, environment } = context
  const { site } = config
  if (!site)
    throw new UsageError(
      'SITE_URL is not set, so there is no website to check. Set it in .env; README.md has the steps.',
    )
  await using store = await openConfiguredStore(config, context)
  const found: Finding[] = []
  using progress = showProgress(context, values)
  const show = (finding: Finding): void => {
    found.push(finding)
    progress.clear()
    print(finding, `${finding.ok ? 'ok   ' : 'FAULT'}  ${finding.sentence}`)
    progress.report('Checks done', found.length)
  }
  const { documents } = store
  const failure = await writeFailure(documents, storeDirectory(config), systemClock.now())
  if (failure) {
    // Without the store, calls to the API cannot be counted.
    show({ check: 'store', ok: false, sentence: failure.message })
    return 1
  }
  if (!values.json) {
    stdout.write(
      `Checking ${site.url}. This uses about 14 of the ${config.callsPerMinute} API calls per minute; it waits if the limit is reached.\n`,
    )
  }
  progress.report('Checking')
  const findings = siteFindings({ ...config, site }, store, {
    log: createLogger('silent'),
    hasAllDatabases: values.databases === true,
  })
  for await (const finding of findings) show(finding)
  progress.clear()
  const status = found.every(({ ok }) => ok) ? 0 : 1
  if (values.json) return status
  const { publicUrl } = await configuredAddress(documents, config)
  const serviceRuns = await isRunning(documents)
  stdout.write(`\n${checkSummary(found, publicUrl, environment, serviceRuns).join('\n')}\n`)
  return status
}

export function checkSummary(
  findings: readonly Finding[],
  address: string,
  environment: Environment,
  serviceRuns: boolean,
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
