import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { itemsToBackUp } from '../../src/backup/merge-backup.ts'
import { writeBackupFile } from '../../src/backup/backup-file.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store, Write } from '../../src/store/store.ts'
import { resultOf, run } from './command-line.ts'
import { testDirectory } from './service.ts'

/** Host of the site that the backup contains. */
export const site = 'cedarhollow.example'

export const settings = {
  SITE_URL: `https://${site}`,
  SITE_REFRESH_TOKEN: 'x',
  SITE_TIME_ZONE: 'America/New_York',
}

export const note = { bucket: 'notes', id: 'a', value: 'first' }

/** Opens the site's store in a data directory and runs `work` on it. */
export async function storeIn(directory: string, work: (store: Store) => Promise<unknown>) {
  mkdirSync(join(directory, 'data'), { recursive: true })
  await using store = openSqliteStore(join(directory, 'data', `${site}.sqlite`), Date.now)
  return await work(store)
}

export const command = (
  directory: string,
  args: readonly string[],
  changes: Record<string, string> = {},
) => resultOf(run(directory, args, { ...settings, ...changes }))

/** Creates a store with a note and other documents, and a backup of it. */
export async function backedUp(others: readonly Write[] = []) {
  const directory = testDirectory()
  await storeIn(directory, async (store) => {
    await store.documents.write([note, ...others])
    const head = { feedhouse: '0.1.0', site: settings.SITE_URL, takenAt: Date.now() }
    const items = itemsToBackUp(store.snapshot())
    await writeBackupFile(join(directory, 'backup.gz'), { head, items })
  })
  return directory
}
