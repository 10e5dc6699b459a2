import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodedBody } from '../../src/upstream/charset.ts'

const json = 'application/json'
const latin = (text: string) => Buffer.from(text, 'latin1')

test.for<[name: string, bytes: Uint8Array, type: string, text: string]>([
  ['UTF-8 without a declaration', Buffer.from('Café – 🚒'), json, 'Café – 🚒'],
  ['a byte order mark', Buffer.from('\uFEFF{}'), json, '{}'],
  ['a byte order mark before other bytes', latin('\xEF\xBB\xBFCaf\xE9'), json, 'Café'],
  ['Windows-1252', latin('Chief\x92s Caf\xE9 6\x969 PM'), json, 'Chief’s Café 6–9 PM'],
  [
    'declared ISO-8859-1, which browsers read as Windows-1252',
    latin('Caf\xE9 \x96'),
    `${json}; charset=ISO-8859-1`,
    'Café –',
  ],
  ['declared UTF-16', Buffer.from('Café', 'utf16le'), `${json};charset="utf-16le"`, 'Café'],
  ['declared UTF-8 that is not', latin('Caf\xE9'), `${json}; charset=utf-8`, 'Café'],
  ['an unknown charset', Buffer.from('Café'), `${json}; charset=cf-default`, 'Café'],
  ['both mixed', Buffer.concat([Buffer.from('Café '), latin('\x80\xE9')]), json, 'Café €é'],
  ['UTF-8 that is cut in a character', Buffer.from('Café').subarray(0, 4), json, 'CafÃ'],
  ['surrogates and overlong forms', latin('\xED\xA0\x80\xC0\xAF'), json, 'í\u00A0€À¯'],
])('reads %s', ([, bytes, type, text]) => {
  expect(decodedBody(bytes, type)).toBe(text)
})

test('reads any UTF-8 as it is, and any bytes without replacement characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.uint8Array(), (text, bytes) => {
      const other = latin('\xFF')
      expect(decodedBody(Buffer.from(`x${text}`), json)).toBe(`x${text}`)
      // One byte that is not UTF-8 changes nothing else.
      const both = Buffer.concat([Buffer.from(`x${text}`), other])
      expect(decodedBody(both, json)).toBe(`x${text}ÿ`)
      expect(decodedBody(Buffer.concat([latin('\xFF'), bytes]), json)).not.toContain('\uFFFD')
    }),
  )
})

test('reads 8 MiB of other bytes within seconds', () => {
  const bytes = Buffer.alloc(8 * 1024 * 1024, 0xe9)
  const start = performance.now()
  expect(decodedBody(bytes, json)).toHaveLength(bytes.length)
  expect(performance.now() - start).toBeLessThan(10_000)
})
