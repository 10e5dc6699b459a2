import { expect, test } from 'vitest'
import { contactsCsv, memberContacts, telUri } from '../../src/feeds/member-contacts.ts'
import { collectionAfter } from '../support/feed-text.ts'
import { testSite } from '../support/site.ts'

const now = Date.parse('2026-03-05T15:00:00Z')
const hourMs = 3_600_000

const reyes = {
  id: 5,
  firstName: 'Jordan',
  middleInitial: 'L',
  lastName: 'O&#39;Reyes',
  rank: 'Lieutenant',
  phone1: '555-0105',
  phone1Type: 'Cell',
  phone2: '555-0205',
  phone2Type: '',
  phone3: '555-0305',
  phone3Type: 'Work fax',
  email: 'j@cedarhollow.example',
  address1: '1 Main Street',
  city: 'Cedar Hollow',
}

async function contactsAfter(...readings: readonly (readonly object[])[]) {
  return memberContacts(await collectionAfter('members/contacts', readings, now), testSite)
}

test('converts names, phone types and addresses', async () => {
  expect(await contactsAfter([reyes])).toMatchObject([
    {
      memberId: 5,
      uid: 'members-5@cedarhollow.example',
      changedAt: now,
      fullName: "Jordan L O'Reyes",
      title: 'Lieutenant',
      phones: [
        { type: 'CELL', number: '555-0105' },
        { type: 'VOICE', number: '555-0205' },
        { type: 'FAX', number: '555-0305' },
      ],
      address: { extended: '', street: '1 Main Street', city: 'Cedar Hollow' },
    },
  ])
})

test.for([
  ['Cell', 'CELL'],
  ['Mobile phone', 'CELL'],
  ['Home', 'HOME'],
  ['Office', 'WORK'],
  ['Fax', 'FAX'],
  ['Pager', 'PAGER'],
  ['Firehouse', 'VOICE'],
] as const)('reads the type of phone %s as %s', async ([phone1Type, type]) => {
  const [contact] = await contactsAfter([{ id: 1, phone1: '1', phone1Type }])
  expect(contact?.phones).toEqual([{ type, number: '1' }])
})

test.for([
  ['555-0105', 'tel:5550105'],
  ['+1 (555) 0205, ext. 3', 'tel:+15550205'],
  ['555-0205 x3', 'tel:5550205'],
  ['555.0205 #3', 'tel:5550205'],
  ['Fax 555-0205', 'tel:5550205'],
  ['unlisted', undefined],
] as const)('dials %s without its extension', ([number, uri]) => {
  expect(telUri(number)).toBe(uri)
})

test('keeps the id and notes the time when a number changes', async () => {
  const [contact] = await contactsAfter([reyes], [{ ...reyes, phone1: '555-0999' }])
  expect(contact).toMatchObject({
    uid: 'members-5@cedarhollow.example',
    changedAt: now + hourMs,
  })
})

test('sorts by name, and gives a name to members without one', async () => {
  const contacts = await contactsAfter([reyes, { id: 7 }, { ...reyes, id: 3, lastName: 'Abe' }])
  expect(contacts.map(({ fullName }) => fullName)).toEqual([
    'Member 7',
    'Jordan L Abe',
    "Jordan L O'Reyes",
  ])
})

test.for([
  ['+1 (555) 010-0105', '+15550100105'],
  ['+44 (0)20 5550 0105', '+442055500105'],
] as const)('writes %s without the hyphens of a formula', async ([phone1, written]) => {
  const contacts = await contactsAfter([{ ...reyes, phone1 }])
  expect(contactsCsv(contacts, 'en')).toContain(`,Mobile,${written},`)
})

test('writes a spreadsheet that spreadsheets do not evaluate', async () => {
  const contacts = await contactsAfter([
    { ...reyes, firstName: '=HYPERLINK("x")', rank: 'Captain, Station 1', phone1: '+1+cmd' },
  ])
  const [header = '', row = '', end] = contactsCsv(contacts, 'en').split('\r\n')
  expect(header.startsWith('\uFEFFFirst Name,')).toBe(true)
  expect(end).toBe('')
  expect(row).toContain(`"'=HYPERLINK(""x"")",L,O'Reyes,`)
  expect(row).toContain('"Captain, Station 1",Other,j@cedarhollow.example,Mobile,\'+1+cmd,Other,')
  expect(row).toMatch(/,Home,1 Main Street,,Cedar Hollow,,$/)
})

test.for(['=', '+', '-', '@', '＝', '＋', '－', '＠'])(
  'writes an apostrophe before text that starts with %s',
  async (start) => {
    const contacts = await contactsAfter([{ ...reyes, rank: `${start}SUM(1)` }])
    expect(contactsCsv(contacts, 'en')).toContain(`,'${start}SUM(1),`)
  },
)

test('sorts contacts by last name, then first name, then id', async () => {
  const names = [
    [1, 'Sam', 'Reyes'],
    [2, 'Alex', 'Reyes'],
    [4, 'Alex', 'Baker'],
    [3, 'Alex', 'Baker'],
    [5, 'Pat', 'Adams'],
  ] as const
  const members = names.map(([id, firstName, lastName]) => ({ id, firstName, lastName }))
  const contacts = await contactsAfter(members)
  expect(contacts.map(({ memberId }) => memberId)).toEqual([5, 3, 4, 2, 1])
})
