import fc from 'fast-check'
import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { renderVCard, type Contact } from '../../src/calendar/vcard.ts'

const reyes: Contact = {
  uid: 'members-5@cedarhollow.example',
  changedAt: Date.parse('2026-03-05T15:00:00.123Z'),
  fullName: 'Jordan L Reyes',
  firstName: 'Jordan',
  middleName: 'L',
  lastName: 'Reyes',
  organization: 'Cedar Hollow; Fire, Rescue & EMS',
  title: 'Lieutenant',
  phones: [
    { type: 'CELL', number: '555-0105' },
    { type: 'VOICE', number: '+1 (555) 0205, ext. 3' },
  ],
  email: 'jordan.reyes@cedarhollow.example',
  address: {
    extended: 'Apt. 2',
    street: '210 County Route 9; rear',
    city: 'Cedar Hollow',
    region: 'New York',
    postalCode: '00000',
  },
}

const nobody: Contact = {
  ...reyes,
  fullName: 'Member 5',
  firstName: '',
  middleName: '',
  lastName: '',
  organization: '',
  title: '',
  phones: [],
  email: '',
  address: { extended: '', street: '', city: '', region: '', postalCode: '' },
}

/** Reads a card with ical.js. Structured values are lists. */
function read(text: string) {
  const parsed: unknown = ICAL.parse(text)
  const [name, properties] = (Array.isArray(parsed) ? parsed : []) as [
    string,
    readonly [string, Readonly<Record<string, unknown>>, string, unknown][],
  ]
  const valuesOf = (wanted: string) =>
    properties.filter(([property]) => property === wanted).map(([, , , value]) => value)
  return { name, properties, valuesOf }
}

describe.for(['3.0', '4.0'] as const)('a vCard %s, when parsed by ical.js,', (version) => {
  const { name, properties, valuesOf } = read(renderVCard(reyes, version))

  test('has every property of the contact', () => {
    expect(name).toBe('vcard')
    const values = ['version', 'uid', 'fn', 'n', 'org', 'title', 'tel', 'email', 'adr'].map(
      valuesOf,
    )
    expect(values).toEqual([
      [version],
      ['members-5@cedarhollow.example'],
      ['Jordan L Reyes'],
      [['Reyes', 'Jordan', 'L', '', '']],
      ['Cedar Hollow; Fire, Rescue & EMS'],
      ['Lieutenant'],
      ['555-0105', '+1 (555) 0205, ext. 3'],
      ['jordan.reyes@cedarhollow.example'],
      [['', 'Apt. 2', '210 County Route 9; rear', 'Cedar Hollow', 'New York', '00000', '']],
    ])
    const phones = properties.filter(([property]) => property === 'tel')
    const types = phones.map(([, { type }]) => String(type).toUpperCase())
    expect(types).toEqual(['CELL', 'VOICE'])
    expect(Date.parse(String(valuesOf('rev')[0]))).toBe(Date.parse('2026-03-05T15:00:00Z'))
  })

  test('omits unknown properties, and always has a name', () => {
    const empty = read(renderVCard(nobody, version))
    const names = empty.properties.map(([property]) => property)
    expect(names).toEqual(expect.arrayContaining(['fn', 'n', 'uid', 'rev']))
    for (const unknown of ['org', 'title', 'tel', 'email', 'adr', 'categories']) {
      expect(names).not.toContain(unknown)
    }
  })

  test('keeps any text, in lines of at most 75 bytes', () => {
    const anyText = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 120 })
      .map((value) => `x${value.replace(/[\p{C}\p{Z}]+/gu, ' ')}x`)
    fc.assert(
      fc.property(anyText, (value) => {
        // ical.js, and so Thunderbird, does not unescape semicolons outside of structured values.
        const fullName = version === '4.0' ? value : value.replaceAll(';', ',')
        const card = renderVCard({ ...reyes, fullName, lastName: value }, version)
        const lines = card.split('\r\n')
        expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
        expect(read(card).valuesOf('fn')).toEqual([fullName])
        expect(read(card).valuesOf('n')).toEqual([[value, 'Jordan', 'L', '', '']])
      }),
      { numRuns: 50 },
    )
  })
})

test('has no second line that a value could add', () => {
  const card = renderVCard({ ...reyes, title: 'Chief\nTEL:666' }, '3.0')
  expect(card).toContain('TITLE:Chief\\nTEL:666')
})

test('escapes semicolons in 4.0 only where they would separate parts', () => {
  const note = 'Days; not \\; nights'
  const card = read(renderVCard({ ...reyes, title: 'Lt.; EMT', note }, '4.0'))
  expect([card.valuesOf('title'), card.valuesOf('note')]).toEqual([['Lt.; EMT'], [note]])
  expect(card.valuesOf('categories')).toEqual(['Cedar Hollow; Fire, Rescue & EMS'])
  expect(card.valuesOf('org')).toEqual(['Cedar Hollow; Fire, Rescue & EMS'])
})
