import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { builtExpressionsIn, expressionsIn, slowTextOf } from './expressions.ts'

const root = resolve(import.meta.dirname, '../..')

/** Number of texts to try with each expression, or with each of its characters if it is long. */
const texts = 150
const textsPerCharacter = 2

/** Expressions that are slow only for other texts than they get, by file, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  [String.raw`src/delivery/following/mail-body.ts /<a [^<>]*?href="([^"]*)"[^<>]*>([^<]*)<\/a>(.*?)(?=<\/(?:li|p)>)/g`]:
    'markup of this project, in which text from outside is escaped',
  [String.raw`src/config/environment.ts /^[^#=\n]*=\s*(["'` + '`' + String.raw`])[\s\S]*?\1/gm`]:
    'a file of the operator',
  [String.raw`src/web/client-family.ts /dataaccessd|CalendarAgent|CalendarKit|\bcalendard\b|\b(?:iOS|macOS)\/.*\bcal/i`]:
    'at most 300 characters',
  [String.raw`src/calendar/named-time.ts /\s*[ap]\.?m\b\.?$/i`]: 'a time of a few characters',
  [String.raw`src/web/assets.ts /([\d.]+)rem\b/g`]: 'styles of this project',
  [String.raw`src/web/templates.ts /^[ \t]*\/\*[^]*?\*\/\n/gm`]: 'scripts of this project',
  [String.raw`src/syndication/atom.ts /<(title|summary) type="html"><!\[CDATA\[(.*?)\]\]><\/\1>|<!\[CDATA\[.*?\]\]>|(<(?:updated|published)>[^.<]+)\.\d+Z/gs`]:
    'markup of the package, which closes every section',
}

const expressions = [
  ...expressionsIn(root, ['src/**/*.{ts,js}', 'templates/**/*.{ts,js}']),
  ...builtExpressionsIn(root),
].map((expression) => {
  const { place, source, flags } = expression
  return { ...expression, key: `${place.replace(/:\d+$/, '')} /${source}/${flags}` }
})

test('every regular expression takes time in proportion to the length of the text', () => {
  expect(expressions.length).toBeGreaterThan(400)
  const slow = expressions
    .filter(({ key }) => !(key in exceptions))
    .flatMap((expression) => {
      const { source } = expression
      const text = slowTextOf(expression, Math.max(texts, textsPerCharacter * source.length))
      return text === undefined ? [] : [`${expression.place} ${expression.key}: ${text}`]
    })
  expect(slow).toEqual([])
})

test('every exception is still an expression', () => {
  const known = new Set(expressions.map(({ key }) => key))
  expect(Object.keys(exceptions).filter((key) => !known.has(key))).toEqual([])
})

test.for([
  ['a start without an end', '<title[^>]*>', ''],
  ['spaces before something else', String.raw`\s+(?=[a-z]+:\S)`, 'i'],
  ['two loops over the same characters', '^([^:;]*)((?:"[^"]*"|[^":])*):(.*)$', ''],
  ['blocks without an end', String.raw`(?<=\r\n)BEGIN:(A|B)\r\n[^]*?\r\nEND:\1`, 'g'],
  ['a loop that only two characters can end', '[.:]?[^.:]*$', ''],
  ['a loop before a loop over everything', String.raw`^\s*<a[^<>]*=[^]*>\s*$`, 'i'],
  ['a loop over alternatives that overlap', String.raw`^(?:[\d.]|[ap]\.?m\.?|noon)*$`, 'i'],
  ['loops with high limits', String.raw`(?=\d{0,500}\d{0,500}x)`, ''],
  ['many characters that may be missing', '(?:a?){30}a{30}b', ''],
] as const)('finds slow expressions: %s', ([, source, flags]) => {
  expect(slowTextOf({ place: '', source, flags }, texts)).toBeDefined()
})
