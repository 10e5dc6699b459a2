import { describe, expect, test } from 'vitest'
import { readLinkRows } from '../../../src/features/admin/link-import.ts'
import { english } from '../../../src/features/admin/messages/links/en.ts'
import { memberChoicesFrom } from '../../../src/features/admin/link-form.ts'

const member = { firstName: 'Jordan', middleInitial: 'L', lastName: 'Reyes', rank: 'Lieutenant' }

const members = memberChoicesFrom([
  { ...member, id: 9 },
  { id: 3, firstName: 'Pat', middleInitial: '', lastName: 'Okafor', rank: '' },
  { id: 4, firstName: 'Pat', middleInitial: '', lastName: 'Okafor', rank: 'Captain' },
])

const known = {
  texts: english,
  defaults: { profile: 'members', feedIds: ['events'], expiresAt: undefined },
  feedIds: ['calendar', 'events', 'rental'],
  members,
  timeZone: 'America/New_York',
  now: Date.parse('2026-03-05T15:00:00Z'),
} as const

const wishesOf = (text: string) => {
  const reading = readLinkRows(text, known)
  return reading.ok ? reading.wishes : reading.faults
}

const plain = { ...known.defaults, memberId: undefined }

test('lists members by last name', () => {
  const labels = ['Okafor, Pat (3)', 'Okafor, Pat, Captain (4)', 'Reyes, Jordan L, Lieutenant (9)']
  expect(members.map(({ label }) => label)).toEqual(labels)
})

test('reads names without a header, with defaults for everything else', () => {
  const wishes = ['Capt. Reyes', 'Marsh, Dana'].map((label) => ({ label, ...plain }))
  expect(wishesOf('Capt. Reyes\r\n"Marsh, Dana"\r\n')).toEqual(wishes)
})

test('reads all columns, in the order of the header', () => {
  const text =
    'Member,Name,Feeds,Profile,Expires\n9,Reyes,calendar rental,FULL,2026-03-05\n,Hall,all,,never'
  expect(wishesOf(text)).toEqual([
    {
      label: 'Reyes',
      profile: 'full',
      feedIds: ['calendar', 'rental'],
      expiresAt: Date.parse('2026-03-06T04:59:59.999Z'),
      memberId: 9,
    },
    { ...plain, label: 'Hall', feedIds: undefined },
  ])
})

const names = ['9', 'jordan reyes', 'Jordan L. Reyes', '"Reyes, Jordan"']

test.for(names)('finds the member %s', (text) => {
  expect(wishesOf(`name,member\na,${text}`)).toEqual([{ label: 'a', ...plain, memberId: 9 }])
})

test('looks at each member once, however many rows there are', () => {
  let looks = 0
  const counted = members.map(({ names, ...member }) => ({
    ...member,
    get names() {
      looks += 1
      return names
    },
  }))
  const text = 'name,member\na,9\nb,Jordan Reyes\nc,Jordan Reyes'
  expect(readLinkRows(text, { ...known, members: counted }).ok).toBe(true)
  expect(looks).toBe(members.length)
})

const readWithoutMembers = (text: string) => readLinkRows(text, { ...known, members: undefined })

test('accepts any member’s ID while the members are unknown', () => {
  const read = readWithoutMembers('name,member\na,77')
  expect(read).toMatchObject({ ok: true, wishes: [{ memberId: 77 }] })
  const faults = ['Row 2: “Jo” is not a member’s ID. Load the members to use their names.']
  expect(readWithoutMembers('name,member\na,Jo')).toEqual({ ok: false, faults })
})

describe('a list is rejected', () => {
  const semicolons = 'Separate the columns with commas instead of semicolons.'
  const columns = 'The columns are name, profile, feeds, expires, member.'
  const tooMany = Array.from({ length: 501 }, (_, index) => `n${index}`).join('\n')
  const twice = 'The name “a” is also in row 1. Add something that tells the two links apart.'

  test.for<[name: string, text: string, ...faults: readonly string[]]>([
    ['without names', ' \n', 'Enter or choose a list of names.'],
    ['with only a header', 'name', 'The list has no names below its header.'],
    ['that is not UTF-8', 'Jos\uFFFD', expect.stringContaining('“CSV UTF-8”')],
    ['with semicolons', 'name;profile\na;full', `Row 1: ${semicolons}`],
    [
      'with semicolons and no header',
      'Ann; full\nBob;;calendar\nTom; Dick',
      ...[1, 2].map((row) => `Row ${row}: ${semicolons}`),
    ],
    [
      'with an unknown column',
      'name,phone\na,b',
      `Row 1: The column “phone” is unknown. ${columns}`,
    ],
    ['with a repeated column', 'name,name\na,b', expect.stringContaining('“name” appears twice')],
    ['with an open quotation mark', 'a\n"b', expect.stringMatching(/^Row 2: The closing/)],
    [
      'with too many rows',
      tooMany,
      'The list has 501 rows, and the maximum is 500. Split it into several lists.',
    ],
    ['with a name twice', 'a\nb\n a ', `Row 3: ${twice}`],
  ])('%s', ([, text, ...faults]) => {
    expect(wishesOf(text)).toEqual(faults)
  })

  test('with a sentence for a repeated name even if other columns are wrong', () => {
    expect(wishesOf('name,profile\na,boss\na,full\nb,boss')).toEqual([
      expect.stringMatching(/^Row 2: The profile “boss” is unknown/),
      'Row 3: The name “a” is also in row 2. Add something that tells the two links apart.',
      expect.stringMatching(/^Row 4: The profile “boss” is unknown/),
    ])
  })

  test('with a sentence for every fault', () => {
    const header = 'name,profile,feeds,expires,member\n'
    const invalid = `${'x'.repeat(101)},boss,news,2020-01-01,Nobody`
    const text = `${header},full\nok,full\n${invalid}\nb,,,soon,Pat Okafor\nc,,,,,more\nd,,,,12`
    expect(wishesOf(text)).toEqual([
      'Row 2: Enter a name of at most 100 characters.',
      'Row 4: Enter a name of at most 100 characters.',
      'Row 4: The profile “boss” is unknown. Use members or full. A cell that contains a comma needs quotation marks around it.',
      'Row 4: The feed “news” is unknown. Use all, or some of calendar, events, rental.',
      'Row 4: “2020-01-01” cannot be the last day. Use today or a later date, like 2027-06-30, or never.',
      'Row 4: The website has no member “Nobody”.',
      'Row 5: “soon” cannot be the last day. Use today or a later date, like 2027-06-30, or never.',
      'Row 5: Several members are named “Pat Okafor”. Use one of their IDs: 3, 4.',
      'Row 6: There are more than 5 cells. A cell that contains a comma needs quotation marks around it.',
      'Row 7: The website has no member “12”.',
    ])
  })
})
