import { parse } from 'content-disposition'
import { expect, test } from 'vitest'
import { contentDisposition } from '../../src/web/content-disposition.ts'

test.for([
  ['Cedar Hollow VFD: Events', 'Cedar Hollow VFD - Events.ics'],
  ['Feuerwehr Größenau: Übungen', 'Feuerwehr Größenau - Übungen.ics'],
  ['消防団: 予定', '消防団 - 予定.ics'],
  ['a/b\\c:d*e?f"g<h>i|j', 'a b c d e f g h i j.ics'],
  ['..\\..\\etc', 'etc.ics'],
  ['100% "real"\r\nSet-Cookie: x=1', '100 real Set-Cookie - x=1.ics'],
  [`${'x'.repeat(99)}🚒`, `${'x'.repeat(99)}.ics`],
  ['🚒', '🚒.ics'],
  ['...', 'feed.ics'],
  ['', 'feed.ics'],
] as const)('a feed with the title %s is saved as %s', ([title, name]) => {
  const header = contentDisposition(title, 'ics', { isDownload: false })
  expect(header).toMatch(/^inline; [ -~]+$/)
  expect(parse(header)).toMatchObject({ type: 'inline', parameters: { filename: name } })
})

test('removes characters that are not allowed in file names', () => {
  expect(contentDisposition('a℅b ⁄ ％', 'ics', { isDownload: false })).toMatch(
    /^inline; filename="ac ob _\.ics"; filename\*=/,
  )
})

test('includes an ASCII file name for old clients', () => {
  expect(contentDisposition('Größenau: 予定', 'rss', { isDownload: true })).toBe(
    `attachment; filename="Gro_enau - __.rss"; filename*=UTF-8''Gr%C3%B6%C3%9Fenau%20-%20%E4%BA%88%E5%AE%9A.rss`,
  )
})
