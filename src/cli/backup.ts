import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { itemsToBackUp } from '../backup/merge-backup.ts'
import { printBackup, writeBackupFile } from '../backup/backup-file.ts'
import type { StoredItem } from '../store/store.ts'
import { argumentDirectory, version, type Command, type CommandContext } from './command.ts'
import { openPresentStore } from './configured-store.ts'
import { forEachSite, sitesOptions, type ChosenSite } from './each-site.ts'
import { UsageError } from './user-errors.ts'

const help = `Usage: npx feedhouse backup FILE
       npx feedhouse backup --all DIRECTORY

Backs up all persistent data to FILE, even while the service is running: records and their history,
feed links (as hashes), API call counts, and the access token. Keep the backup private. An existing
FILE is replaced once the new backup is complete. Backups can be restored into SQLite or Redis.

Use - as FILE for standard output.

  --json       print one JSON line (to standard error if FILE is -)
  --site NAME  name of the site, if SITES_FILE lists several
  --all        back up all sites in SITES_FILE, each to NAME.gz in DIRECTORY
`

/** Mode of a new directory. */
const mode = 0o700

const run: Command['run'] = async (args, context) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...sitesOptions, json: { type: 'boolean' } },
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError('Usage: backup FILE; see --help.')
  if (values.all && file === '-') throw new UsageError('--all requires a directory.')
  if (values.all) mkdirSync(resolve(argumentDirectory(context), file), { recursive: true, mode })
  const stopping = new AbortController()
  void context.stopSignal().then(() => stopping.abort())
  const { signal } = stopping
  return forEachSite(values, context, (site) =>
    backUp(site, site.name === undefined ? file : join(file, `${site.name}.gz`), {
      json: values.json,
      context,
      signal,
    }),
  )
}

export const backupCommand: Command = { help, run }

/** Backs up one site to a file, or to standard output. */
async function backUp(
  { config, jsonLine }: ChosenSite,
  file: string,
  {
    json,
    context,
    signal,
  }: {
    readonly json: boolean | undefined
    readonly context: CommandContext
    readonly signal: AbortSignal
  },
): Promise<void> {
  const { site } = config
  if (!site) {
    throw new UsageError('SITE_URL is not set; the demo has no data to back up.')
  }
  await using store = await openPresentStore(config, context.stderr)
  const takenAt = systemClock.now()
  const head = { feedhouse: version(), site: site.url, takenAt }
  const content = { head, items: requireItems(itemsToBackUp(store.snapshot()), site.url) }
  const counts =
    file === '-'
      ? await printBackup(context.stdout, content, signal)
      : await writeBackupFile(file, content, { signal, directory: argumentDirectory(context) })
  const output = file === '-' ? context.stderr : context.stdout
  const { documents, happenings } = counts
  const line = { file, site: site.url, takenAt: new Date(takenAt).toISOString(), ...counts }
  output.write(
    json
      ? jsonLine(line)
      : `Backed up ${site.url}: ${documents} documents, ${happenings} API calls. The backup contains the access token, so keep it private.\n`,
  )
}

/**
 * Throws a `UsageError` if there are no items, so that a backup with a wrong DATA_DIR does not
 * overwrite a good backup.
 */
async function* requireItems(
  items: AsyncIterable<StoredItem>,
  siteUrl: string,
): AsyncGenerator<StoredItem> {
  let count = 0
  for await (const item of items) {
    count += 1
    yield item
  }
  if (count > 0) return
  throw new UsageError(
    `No data is stored for ${siteUrl}, so there is nothing to back up. Check DATA_DIR or REDIS_URL.`,
  )
}
