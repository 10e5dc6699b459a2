import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { printBackup, writeBackupFile } from '../backup/backup-file.ts'
import { withIdentity } from '../backup/backup-identity.ts'
import { itemsToBackUp } from '../backup/merge-backup.ts'
import { systemClock } from '../clock.ts'
import { knownFollowSecret } from '../followers/follow-secret.ts'
import type { StoredItem } from '../store/store.ts'
import { forEachSite, openPresentStore, sitesOptions } from './chosen-site.ts'
import {
  abortedOnStop,
  argumentDirectory,
  defineCommand,
  flag,
  onlyOperand,
  version,
} from './command.ts'
import { showProgress, type ReportProgress } from './progress.ts'
import { UsageError } from './user-errors.ts'

export const command = defineCommand({
  options: {
    json: flag('print one JSON line (to standard error if FILE is -)'),
    ...sitesOptions('back up all sites in SITES_FILE, each to NAME.gz in DIRECTORY'),
  },
  help: (list) => `Usage: npx feedhouse backup FILE
       npx feedhouse backup --all DIRECTORY

Backs up all persistent data to FILE, even while the service is running: records and their history,
feed links (as hashes), API call counts, the access token, and followers with the key to their
addresses (except MAIL_KEY). Keep the backup private. An existing FILE is replaced once the new
backup is complete. Backups can be restored into SQLite or Redis.

Use - as FILE for standard output.

${list()}`,
  takesOperands: true,
  async run({ values, operands }, context) {
    const target = onlyOperand(operands, 'backup FILE; see --help.')
    const directory = argumentDirectory(context)
    const isPrinted = target === '-'
    if (values.all && isPrinted) throw new UsageError('--all requires a directory.')
    if (values.all) mkdirSync(resolve(directory, target), { recursive: true, mode: 0o700 })
    const signal = abortedOnStop(context)
    const reporting = isPrinted ? { ...context, stdout: context.stderr } : context
    return forEachSite(values, reporting, async ({ config, name, print }) => {
      const file = name === undefined ? target : join(target, `${name}.gz`)
      if (!config.site) {
        throw new UsageError('SITE_URL is not set; the demo has no data to back up.')
      }
      const { url: site } = config.site
      await using store = await openPresentStore(config, context)
      const takenAt = systemClock.now()
      const head = { feedhouse: version(), site, takenAt }
      using progress = showProgress(reporting, values)
      const stored = requireItems(itemsToBackUp(store.snapshot()), site, progress.report)
      const { idHost, mailKey, dataDirectory } = config
      const followSecret = mailKey === undefined ? knownFollowSecret({ dataDirectory }) : undefined
      const content = { head, items: withIdentity(stored, { idHost, followSecret }) }
      const counts = isPrinted
        ? await printBackup(context.stdout.stream, content, signal)
        : await writeBackupFile(file, content, { signal, directory })
      const { documents, events } = counts
      progress.clear()
      print(
        { file, site, takenAt: new Date(takenAt).toISOString(), ...counts },
        `Backed up ${site}: ${documents} documents, ${events} API calls. ${secretsIn(followSecret)}`,
      )
    })
  },
})

function secretsIn(followSecret: string | undefined): string {
  const secrets =
    followSecret === undefined
      ? 'the access token'
      : "the access token and the key to followers' addresses"
  return `The backup contains ${secrets}, so keep it private.`
}

/**
 * Prevents a backup made with the wrong DATA_DIR from replacing a good one. Throws a `UsageError`.
 */
async function* requireItems(
  items: AsyncIterable<StoredItem>,
  siteUrl: string,
  report: ReportProgress,
): AsyncGenerator<StoredItem> {
  let count = 0
  for await (const item of items) {
    count += 1
    report('Backing up', count)
    yield item
  }
  if (count > 0) return
  throw new UsageError(
    `No data is stored for ${siteUrl}, so there is nothing to back up. Check DATA_DIR or REDIS_URL.`,
  )
}
