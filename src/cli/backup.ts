import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { itemsToBackUp } from '../backup/merge-backup.ts'
import { printBackup, writeBackupFile } from '../backup/backup-file.ts'
import type { StoredItem } from '../store/store.ts'
import { argumentDirectory, version, type Command } from './command.ts'
import { commandConfig, siteOption } from './command-config.ts'
import { openPresentStore } from './configured-store.ts'
import { UsageError } from './user-errors.ts'

const help = `Usage: npx feedhouse backup FILE

Backs up all persistent data to FILE, even while the service is running: records and their history,
feed links (as hashes), API call counts, and the access token. Keep the backup private. An existing
FILE is replaced once the new backup is complete. Backups can be restored into SQLite or Redis.

Use - as FILE for standard output.

  --json       print one JSON line (to standard error if FILE is -)
  --site NAME  name of the site, if SITES_FILE lists several
`

const run: Command['run'] = async (args, context) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...siteOption, json: { type: 'boolean' } },
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError('Usage: backup FILE; see --help.')
  const config = commandConfig(values, context)
  const { site } = config
  if (!site) {
    throw new UsageError('SITE_URL is not set; the demo has no data to back up.')
  }
  const stopping = new AbortController()
  void context.stopSignal().then(() => stopping.abort())
  await using store = await openPresentStore(config, context.stderr)
  const takenAt = systemClock.now()
  const head = { feedhouse: version(), site: site.url, takenAt }
  const content = { head, items: requireItems(itemsToBackUp(store.snapshot()), site.url) }
  const { signal } = stopping
  const counts =
    file === '-'
      ? await printBackup(context.stdout, content, signal)
      : await writeBackupFile(file, content, { signal, directory: argumentDirectory(context) })
  const output = file === '-' ? context.stderr : context.stdout
  const { documents, happenings } = counts
  const line = { file, site: site.url, takenAt: new Date(takenAt).toISOString(), ...counts }
  output.write(
    values.json
      ? `${JSON.stringify(line)}\n`
      : `Backed up ${site.url}: ${documents} documents, ${happenings} API calls. The backup contains the access token, so keep it private.\n`,
  )
}

export const backupCommand: Command = { help, run }

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
