import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { defaultPublicFeeds } from '../config/config.ts'
import { exportAndWatch, exportSite } from '../export/export-site.ts'
import { argumentDirectory, type Command } from './command.ts'
import { commandConfig, siteOption } from './command-config.ts'
import { openConfiguredStore } from './configured-store.ts'
import { UsageError } from './user-errors.ts'

const help = `Usage: npx feedhouse export --out DIR [options]

Writes everything that is public as files for a host that runs nothing: the subscribe page, feeds,
items, the board, and rules for the headers of nginx, Netlify, Cloudflare Pages and object storage.
docs/static.md tells what to do with them. PUBLIC_URL must be the address that they will have.
Reads the website like the service, within the same budget of calls.

  --out DIR      where they go. Files that stay the same are not touched; files that Feedhouse has
                 not written are neither changed nor removed
  --watch        goes on, and writes whatever changes, until it is stopped
  --precompress  writes .gz and .br beside each file, for nginx
  --json         prints one JSON line
  --site NAME    which site, where SITES_FILE has several
`

const run: Command['run'] = async (args, context) => {
  const flag = { type: 'boolean' } as const
  const { values } = parseArgs({
    args: [...args],
    options: { ...siteOption, out: { type: 'string' }, watch: flag, precompress: flag, json: flag },
  })
  const { out } = values
  if (out === undefined || out === '') {
    throw new UsageError('--out must name the directory for the files; see --help.')
  }
  const config = commandConfig(values, context)
  const { site, publicUrl, dataDirectory } = config
  if (!site) {
    throw new UsageError(
      'SITE_URL is not set, so there is no website to export; the demo is only in serve.',
    )
  }
  if (publicUrl === undefined) {
    throw new UsageError(
      'PUBLIC_URL is not set. Set it to the address that the files will have: it stands in feeds and pages.',
    )
  }
  const directory = resolve(argumentDirectory(context), out)
  if (isWithin(dataDirectory, directory) || isWithin(directory, dataDirectory)) {
    throw new UsageError(
      `--out is in the data directory ${dataDirectory} or has it in it, and that must not be published; choose another.`,
    )
  }
  await using store = await openConfiguredStore(config, context.stderr)
  const stopping = new AbortController()
  const stopped = context.stopSignal().then(() => stopping.abort())
  const options = {
    ...{ config, site, publicUrl, store, directory, clock: systemClock, random: Math.random },
    publicFeedIds: config.publicFeeds ?? defaultPublicFeeds,
    isPrecompressed: values.precompress === true,
    log: context.createLogger(values.watch ? config.logLevel : 'silent'),
    signal: stopping.signal,
  }
  if (values.watch) {
    await exportAndWatch(options)
    await stopped
    return
  }
  const { counts, warnings } = await exportSite(options)
  for (const warning of warnings) context.stderr.write(`${warning}\n`)
  const { written, unchanged, removed } = counts
  context.stdout.write(
    values.json
      ? `${JSON.stringify({ directory, ...counts })}\n`
      : `${directory}: ${written} files written, ${unchanged} unchanged, ${removed} removed.\n`,
  )
}

export const exportCommand: Command = { help, run }

/** Whether a path is below a directory, or the same. */
function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path)
  return way === '' || !/^\.\.(?:[\\/]|$)|^(?:[a-z]:|\/)/i.test(way)
}
