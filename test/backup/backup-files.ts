import { join } from 'node:path'
import { backupItems, writeBackupFile } from '../../src/backup/backup-file.ts'
import type { StoredItem } from '../../src/store/store.ts'
import { asStream, collected } from '../support/stored-items.ts'
import { testDirectory } from '../support/service.ts'

export const takenAt = Date.parse('2026-03-05T15:00:00Z')
export const head = { feedhouse: '0.1.0', site: 'https://cedarhollow.example', takenAt }

export const items: readonly StoredItem[] = [
  { bucket: 'links', id: 'abcdefgh', value: '{"label":"Capt. Reyes"}', revision: 7 },
  { bucket: 'link-uses', id: 'abcdefgh', value: '', revision: 1, expiresAt: takenAt + 1 },
  { window: 'calls', id: 'one', at: takenAt - 1 },
]

/** Returns a temporary path for a backup. */
export function backupPlace() {
  const directory = testDirectory()
  return { directory, file: join(directory, 'backup.gz') }
}

export const write = (file: string, content: readonly StoredItem[] = items) =>
  writeBackupFile(file, { head, items: asStream(content) })

export const read = (file: string) => collected(backupItems(file, 'The backup'))
