import { expect, test } from 'vitest'
import { contactFilterIn, entryIn } from '../../../src/features/dav/property-filter.ts'
import { parseXml } from '../../../src/features/dav/xml.ts'

const cards = {
  Harriet: [
    'FN:Harriet Bloom',
    'ORG:Smith\\, Sons & Co',
    'TEL;TYPE=CELL:555-0100',
    'TEL;TYPE=HOME:555-0200',
  ],
  Otto: ['FN:Otto Reyes', 'TITLE:Captain of the second pla', ' toon', 'TEL;TYPE=CELL:555-0300'],
}

const entries = Object.entries(cards).map(([name, lines]) => ({
  name,
  entry: entryIn(['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD', ''].join('\r\n')),
}))

/** Returns the names of the contacts that a filter finds, or undefined if it is not supported. */
async function found(filter: string): Promise<readonly string[] | undefined> {
  const query = await parseXml(
    `<A:addressbook-query xmlns:A="urn:ietf:params:xml:ns:carddav">${filter}</A:addressbook-query>`,
  )
  const isMatch = query && contactFilterIn(query)
  return isMatch && entries.filter(({ entry }) => isMatch(entry)).map(({ name }) => name)
}

const filter = (content: string, test = '') => `<A:filter ${test}>${content}</A:filter>`
const property = (name: string, content = '', test = '') =>
  `<A:prop-filter name="${name}" ${test}>${content}</A:prop-filter>`
const text = (value: string, attributes = '') =>
  `<A:text-match ${attributes}>${value}</A:text-match>`
const [harriet, otto] = [property('FN', text('harriet')), property('FN', text('otto'))]
const absent = '<A:is-not-defined/>'

test.each([
  ['', ['Harriet', 'Otto']],
  [filter(''), ['Harriet', 'Otto']],
  [filter(property('TITLE')), ['Otto']],
  [filter(property('title', absent)), ['Harriet']],
  [filter(property('FN', text('BLOOM'))), ['Harriet']],
  [filter(property('FN', text('BLOOM', 'collation="i;octet"'))), []],
  [filter(property('ORG', text('smith, sons'))), ['Harriet']],
  [filter(property('TITLE', text('second platoon'))), ['Otto']],
  [filter(property('FN', text('bloom', 'negate-condition="yes"'))), ['Otto']],
  [filter(property('FN', text('otto', 'match-type="starts-with"'))), ['Otto']],
  [filter(property('FN', text('otto', 'match-type="ends-with"'))), []],
  [filter(property('FN', text('bloom', 'match-type="ends-with"'))), ['Harriet']],
  [filter(property('FN', text('bloom', 'match-type="equals"'))), []],
  [filter(property('FN', text('harriet bloom', 'match-type="equals"'))), ['Harriet']],
  [filter(property('TEL', text('0200'))), ['Harriet']],
  [filter(property('TEL', text('0100') + text('0300'))), ['Harriet', 'Otto']],
  [filter(property('TEL', text('0100') + text('0200'), 'test="allof"')), ['Harriet']],
  [filter(harriet + otto), ['Harriet', 'Otto']],
  [filter(harriet + otto, 'test="allof"'), []],
  [filter(harriet + property('TITLE', absent), 'test="allof"'), ['Harriet']],
])('finds contacts by %s', async (content, expected) => {
  expect(await found(content)).toEqual(expected)
})

test.each([
  [filter(property('TEL', '<A:param-filter name="TYPE"/>'))],
  [filter(property('FN', text('a', 'match-type="sounds-like"')))],
  [filter('<A:unknown/>')],
  [filter(harriet.repeat(30))],
])('does not support %s', async (content) => {
  expect(await found(content)).toBeUndefined()
})
