import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { command, note, place, site, storeIn } from '../support/backups.ts'

describe('backup', () => {
  test('lists what the backup contains, and warns that the backup is secret', async () => {
    const directory = place()
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
      happenings: 1,
      takenAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    expect(statSync(join(directory, 'backup.gz')).mode & 0o777).toBe(0o600)
  })

  test.for([
    {
      args: ['backup', 'a'],
      changes: { SITE_URL: '', SITE_REFRESH_TOKEN: '', SITE_TIME_ZONE: '' },
      says: /^SITE_URL is not set; the demo has no data to back up/,
    },
    {
      args: ['backup', 'a'],
      changes: {},
      says: /^No data is stored for https:\/\/cedarhollow\.example: .* Check DATA_DIR or REDIS_URL\.\n$/,
    },
    {
      args: ['restore', 'nowhere.gz'],
      changes: {},
      says: /nowhere\.gz does not exist\.\n$/,
    },
  ])('explains why $args fails', async ({ args, changes, says }) => {
    const result = await command(place(), args, changes)
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(says)
  })
})

test.for([
  { args: ['backup'], says: 'Usage: backup FILE; see --help.\n' },
  { args: ['backup', 'a', 'b'], says: 'Usage: backup FILE; see --help.\n' },
  { args: ['restore'], says: 'Usage: restore FILE [--replace]; see --help.\n' },
])('the command $args requires exactly one file', async ({ args, says }) => {
  expect(await command(place(), args)).toEqual({ code: 1, stdout: '', stderr: says })
})
