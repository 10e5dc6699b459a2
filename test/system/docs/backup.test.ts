import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { commandsOf, documentOf } from '../../support/documentation.ts'
import { contentOfVersion1, fileOfVersion1, migrate, now } from '../../support/older-store.ts'
import { temporaryDirectory } from '../../support/service.ts'
import { contentOf } from '../../support/stored-items.ts'

test('the commands in docs/backup.md restore a file from an older version', async () => {
  const file = fileOfVersion1()
  migrate(file, 2)
  using directory = temporaryDirectory()
  symlinkSync(dirname(file), join(directory.path, 'data'))
  const commands = commandsOf(documentOf('docs/backup.md')).join('\n')
  const [rollBack = ''] = /^cd data\nmkdir .*\ncp .*$/m.exec(commands) ?? []
  execFileSync('sh', ['-ec', rollBack], { cwd: directory.path })
  expect(migrate(file, 1)).toEqual([])
  await using store = openSqliteStore(file, () => now)
  expect(await contentOf(store)).toEqual(contentOfVersion1)
})
