import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { command, note, site, storeIn } from '../support/backups.ts'
import { testDirectory } from '../support/service.ts'

test('lists the contents of the backup, and warns that the backup is secret', async () => {
  const directory = testDirectory()
  await storeIn(directory, async ({ documents, windows }) => {
    await documents.write([note])
    await windows.take('calls', [{ windowMs: 60_000, max: 5 }])
  })
  const said = `Backed up https://${site}: 1 documents, 1 API calls. The backup contains the access token, so keep it private.\n`
  const plain = await command(directory, ['backup', 'backup.gz'])
  expect(plain).toEqual({ code: 0, stdout: said, stderr: '' })
  const { stdout } = await command(directory, ['backup', 'backup.gz', '--json'])
  expect(JSON.parse(stdout)).toEqual({
    file: 'backup.gz',
    site: `https://${site}`,
    documents: 1,
    events: 1,
    takenAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  })
  expect(statSync(join(directory, 'backup.gz')).mode & 0o777).toBe(0o600)
})
