import { expect, test } from 'vitest'
import {
  charactersPerTurn,
  escapeXml,
  childOf,
  parseXml,
  xml,
  xmlDocument,
} from '../../../src/features/dav/xml.ts'

test('parses elements, namespaces, attributes and text', async () => {
  const root = await parseXml(
    '<?xml version="1.0"?><a:x xmlns:a="DAV:" xmlns="urn:y"><y z="1&amp;2">t&lt;<![CDATA[<b>]]></y></a:x>',
  )
  expect(root).toMatchObject({ ns: 'DAV:', local: 'x' })
  const child = root && childOf(root, 'urn:y', 'y')
  expect(child).toMatchObject({ text: 't<<b>' })
  expect(child?.attributes.get('z')).toBe('1&2')
})

test.each([
  ['nothing', ''],
  ['text', 'hello'],
  ['a missing end', '<a>'],
  ['crossed ends', '<a><b></a></b>'],
  ['two roots', '<a/><b/>'],
  ['an undeclared prefix', '<D:a/>'],
  ['an unknown entity', '<a>&b;</a>'],
  ['a DTD', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
  ['a DTD elsewhere', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'],
  ['a control character', '<a>\u0001</a>'],
  ['too many levels', '<a>'.repeat(17) + '</a>'.repeat(17)],
  ['too many elements', `<a>${'<b/>'.repeat(300)}</a>`],
  ['a long namespace', `<a xmlns="${'n'.repeat(6_000)}"/>`],
  ['long names', `<a>${Array.from({ length: 7 }, () => `<${'n'.repeat(1_000)}/>`).join('')}</a>`],
  ['too many URLs', `<a xmlns="DAV:">${'<href/>'.repeat(5_001)}</a>`],
  [
    'too many attributes',
    `<a ${Array.from({ length: 5_301 }, (_, at) => `b${at}=""`).join(' ')}/>`,
  ],
])('refuses %s', async (_, text) => {
  expect(await parseXml(text)).toBeUndefined()
})

test('accepts as many levels and elements as the limits', async () => {
  expect(await parseXml('<a>'.repeat(16) + '</a>'.repeat(16))).toBeDefined()
  expect((await parseXml(`<a>${'<b/>'.repeat(299)}</a>`))?.children).toHaveLength(299)
  const hrefs = await parseXml(`<a xmlns="DAV:">${'<href xmlns="DAV:"/>'.repeat(4_999)}</a>`)
  expect(hrefs?.children).toHaveLength(4_999)
})

test('parses its own output', async () => {
  const hostile = `a & b <c> "d" ]]> \u0000\uFFFF\r\n é 🚒 \uD800`
  const names = [
    { ns: 'DAV:', local: 'prop' },
    { ns: 'urn:"x"&', local: 'y' },
    { ns: '', local: 'z' },
  ]
  const content = names.map((name) => xml(name, escapeXml(hostile))).join('')
  const root = await parseXml(xmlDocument('D:multistatus', [Buffer.from(content)]).toString())
  expect(root?.children).toMatchObject(
    names.map((name) => ({ ...name, text: 'a & b <c> "d" ]]> \r\n é 🚒 ' })),
  )
})

test('handles requests while it parses a long body', async () => {
  const text = `<a xmlns="DAV:">${`<href>/${'é🚒'.repeat(50)}</href>\r\n`.repeat(4_000)}</a>`
  let requests = 0
  let isParsed = false
  const handle = () => {
    requests += 1
    if (!isParsed) setImmediate(handle)
  }
  setImmediate(handle)
  const root = await parseXml(text)
  isParsed = true
  expect(root?.children).toHaveLength(4_000)
  expect(new Set(root?.children.map((child) => child.text))).toEqual(
    new Set([`/${'é🚒'.repeat(50)}`]),
  )
  expect(requests).toBeGreaterThanOrEqual(Math.floor(text.length / charactersPerTurn))
})
