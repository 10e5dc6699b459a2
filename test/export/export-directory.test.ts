import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openExportDirectory } from '../../src/export/export-directory.ts'
import { testDirectory } from '../support/service.ts'

test.for([
  [3, 'a.ics, b.ics, c.ics. Move'],
  [5, 'a.ics, b.ics, c.ics and 2 more. Move'],
] as const)('names up to three of %s files that it did not write', async ([count, named]) => {
  const path = testDirectory()
  const files = ['a.ics', 'b.ics', 'c.ics', 'd.ics', 'e.ics'].slice(0, count)
  for (const file of files) writeFileSync(join(path, file), 'mine')
  const directory = await openExportDirectory(path)
  await expect(directory.begin([...files, 'new.ics'], 'cedarhollow.example')).rejects.toThrow(named)
})

test('does not rewrite its list of files because their order has changed', async () => {
  const path = testDirectory()
  const directory = await openExportDirectory(path)
  const manifestAfter = async (files: readonly string[]) => {
    await directory.begin(files, 'cedarhollow.example')
    for (const file of files) await directory.write(file, Buffer.from('x'))
    await directory.finish({ ...directory.manifest(), files: [...files] })
    return readFileSync(join(path, '.feedhouse/manifest.json'), 'utf8')
  }
  expect(await manifestAfter(['b.ics', 'a.ics'])).toBe(await manifestAfter(['a.ics', 'b.ics']))
})
