import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { itemsToBackUp } from '../backup/merge-backup.ts'
import { printBackup, writeBackupFile } from '../backup/backup-file.ts'
import type { StoredItem } from '../store/store.ts'
import { version } from '../version.ts'
import { argumentDirectory, type Command } from './command.ts'
import { commandConfig, siteOption } from './command-config.ts'
import { openPresentStore } from './configured-store.ts'
import { UsageError } from './user-errors.ts'

const help = `Usage: npx feedhouse backup FILE

Writes all that lasts to FILE, also while the service runs: records, what is known of each, feed
links (as hashes), counted calls and the access token. Keep it where nobody else can read it. An
older FILE is replaced once the new one is whole. It restores into SQLite and Redis alike.

FILE is - for standard output.

  --json       prints one JSON line; on standard error when FILE is -
  --site NAME  which site, where SITES_FILE has several
`

const run: Command['run'] = async (args, context) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...siteOption, json: { type: 'boolean' } },
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError('The command is: backup FILE.')
  const config = commandConfig(values, context)
  const { site } = config
  if (!site) {
    throw new UsageError('SITE_URL is not set; the demo has nothing that would be worth a backup.')
  }
  const stopping = new AbortController()
  void context.stopSignal().then(() => stopping.abort())
  await using store = await openPresentStore(config, context.stderr)
  const takenAt = systemClock.now()
  const head = { feedhouse: version(), site: site.url, takenAt }
  const content = { head, items: unlessNone(itemsToBackUp(store.snapshot()), site.url) }
  const { signal } = stopping
  const counts =
    file === '-'
      ? await printBackup(context.stdout, content, signal)
      : await writeBackupFile(file, content, { signal, directory: argumentDirectory(context) })
  const said = file === '-' ? context.stderr : context.stdout
  const { documents, happenings } = counts
  const line = { file, site: site.url, takenAt: new Date(takenAt).toISOString(), ...counts }
  said.write(
    values.json
      ? `${JSON.stringify(line)}\n`
      : `The backup of ${site.url} has ${documents} documents and ${happenings} counted calls. It holds the access token: keep it where nobody else can read it.\n`,
  )
}

export const backupCommand: Command = { help, run }

/** Ends with a `UsageError` when there are none: a wrong DATA_DIR must not replace yesterday's backup by one of nothing. */
async function* unlessNone(
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
    `Nothing is stored of ${siteUrl}, so there is nothing to back up; correct DATA_DIR or REDIS_URL.`,
  )
}
