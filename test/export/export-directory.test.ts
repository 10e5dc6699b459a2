import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
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

test('does not write to a directory that is a link', async () => {
  const [path, elsewhere] = [testDirectory(), testDirectory()]
  mkdirSync(join(path, 'site'))
  symlinkSync(elsewhere, join(path, 'site/events'))
  const directory = await openExportDirectory(path)
  const begun = directory.begin(['site/events/1/index.html'], 'cedarhollow.example')
  await expect(begun).rejects.toThrow('would overwrite: site/events. Move')
})

test('does not remove files from a directory that has become a link', async () => {
  const [path, elsewhere] = [testDirectory(), join(testDirectory(), 'events')]
  const directory = await openExportDirectory(path)
  await directory.begin(['events/1.html'], 'cedarhollow.example')
  await directory.write('events/1.html', Buffer.from('x'))
  renameSync(join(path, 'events'), elsewhere)
  symlinkSync(elsewhere, join(path, 'events'))
  const next = await openExportDirectory(path)
  const begun = next.begin(['index.html'], 'cedarhollow.example')
  await expect(begun).rejects.toThrow('would overwrite: events. Move')
  expect(readFileSync(join(elsewhere, '1.html'), 'utf8')).toBe('x')
})
