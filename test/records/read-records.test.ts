import fc from 'fast-check'
import { expect, test } from 'vitest'
import { databaseFieldsFrom, databaseItem } from '../../src/records/custom-database.ts'
import { readRecords, recordKinds, type RecordKind } from '../../src/records/read-records.ts'
import { resources } from '../../src/records/resources.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'

const site = sampleDatasetOn('2026-03-05')

/** Sample items of every type, as the data service returns them. */
const { sheets, topics, replies, records } = {
  sheets: site.signup.map(({ groups, contact, ...sheet }) => ({
    ...sheet,
    details: { sheet: { contact }, groups },
  })),
  topics: site.discuss.map(({ replies: _replies, text: _text, ...topic }) => topic),
  replies: site.discuss.flatMap((topic) => topic.replies),
  records: site.databases.flatMap(({ records: all, fields }) =>
    all.slice(0, 3).map((record) => databaseItem(record, fields)),
  ),
}
const trainingOf = (type: string) => site.training.filter((record) => record.type === type)

const itemsOf: { readonly [Kind in RecordKind]: readonly unknown[] } = {
  announce: site.announce,
  calendar: site.calendar,
  databases: site.databases,
  'databases/records': records.slice(0, 3),
  discuss: topics,
  'discuss/replies': replies,
  documents: site.documents,
  events: site.events,
  guestbook: site.guestbook,
  members: site.members,
  'members/contacts': site.members,
  minutes: site.minutes,
  news: site.news,
  rental: site.rental,
  signup: sheets,
  training: trainingOf('membercerts'),
  'training/presentations': trainingOf('presentations'),
  'training/quizzes': trainingOf('quizzes'),
  'training/certifications': trainingOf('certifications'),
  'training/membercerts': trainingOf('membercerts'),
}

test('has a schema for every resource in the specification', () => {
  const read = new Set(recordKinds.map((kind) => kind.split('/')[0]))
  expect(resources.filter((resource) => !read.has(resource))).toEqual([])
  expect(resources).toHaveLength(13)
})

/** Returns the names of the fields in the sample, in the order of the records. */
function fieldsOf(kind: RecordKind): string {
  const names = JSON.stringify(readRecords(kind, itemsOf[kind]).records).matchAll(/"(\w+)":/g)
  return [...new Set([...names].map(([, name]) => name))].join(' ')
}

test('keeps the order of the fields, because change detection hashes it', () => {
  const kinds = recordKinds.filter((kind) => kind !== 'databases/records')
  expect(Object.fromEntries(kinds.map((kind) => [kind, fieldsOf(kind)]))).toMatchInlineSnapshot(`
    {
      "announce": "id headline text status expires created createdBy modifiedBy modified",
      "calendar": "id title status location contact text startDate endDate allDay startTime endTime created createdBy modified modifiedBy calendarId calendar",
      "databases": "id title description type",
      "discuss": "id title status locked created createdBy lastPost",
      "discuss/replies": "id title status locked created createdBy lastPost text",
      "documents": "id title text status public categoryId category created createdBy modified modifiedBy files fileName extension fileSize",
      "events": "id title status location contact text startDate endDate allDay startTime endTime created createdBy modified modifiedBy",
      "guestbook": "id created status name email rank location website text",
      "members": "id firstName middleInitial lastName rank",
      "members/contacts": "id firstName middleInitial lastName rank phone1 phone1Type phone2 phone2Type phone3 phone3Type email address1 address2 city state zip",
      "minutes": "id meetingDate title text status public categoryId category created createdBy modifiedBy files fileName extension fileSize modified",
      "news": "id date headline deployed author text address units mutualAid featured categoryId category created createdBy modifiedBy links url images caption width height fileSize front attachments videos embedCode posted fileName extension modified",
      "rental": "id typeId type startDate endDate allDay renter renterPhone details startTime endTime",
      "signup": "id title status date eventDate created createdBy modifiedBy contact groups name slots number position signedUp note modified",
      "training": "id memberId certId certName state expires",
      "training/certifications": "id name description status expiryMonths created",
      "training/membercerts": "id memberId member certId certName issued certNumber created state status expires",
      "training/presentations": "id title description status hours created modified",
      "training/quizzes": "id title description status hours created modified graded passScore maxAttempts",
    }
  `)
})

test.for(recordKinds)('reads every record in the sample: %s', (kind) => {
  const items = itemsOf[kind]
  const { records, rejected } = readRecords(kind, items)
  expect(rejected).toEqual([])
  expect(items.length).toBeGreaterThan(0)
  expect(records.length).toBe(items.length)
})

test.for(recordKinds)('accepts numbers as strings: %s', (kind) => {
  const asStrings = JSON.parse(
    JSON.stringify(itemsOf[kind], (_key, value: unknown) =>
      typeof value === 'number' ? String(value) : value,
    ),
  )
  expect(readRecords(kind, asStrings)).toEqual(readRecords(kind, itemsOf[kind]))
})

/** Required properties. All other properties may be missing. */
const needed: { readonly [Kind in RecordKind]?: readonly string[] } = {
  calendar: ['calendarId', 'startDate', 'status'],
  events: ['startDate', 'status'],
  guestbook: ['created', 'status'],
  minutes: ['meetingDate', 'status'],
  news: ['date'],
  rental: ['startDate'],
  signup: ['date', 'status'],
}

test.for(recordKinds)('reads a record with only its required properties: %s', (kind) => {
  const [item] = itemsOf[kind] as readonly Record<string, unknown>[]
  const names = ['id', 'status', ...(needed[kind] ?? [])]
  const bare = Object.fromEntries(names.map((name) => [name, item?.[name]]))
  const { records, rejected } = readRecords(kind, [bare])
  expect(rejected).toEqual([])
  const empty = Object.fromEntries(
    Object.keys(item ?? {})
      .filter((name) => !names.includes(name))
      .map((name) => [name, null]),
  )
  expect(readRecords(kind, [{ ...bare, ...empty }]).records).toMatchObject(records)
})

test('reads a news story with its pictures, attachments, videos and links', () => {
  const [story] = readRecords('news', [
    {
      id: 1,
      date: '2026-03-05 19:00',
      deployed: '1',
      featured: 1,
      links: [{ text: 'More', url: 'https://example.org/' }],
      images: [{ id: '3', url: '/a.jpg', width: '800', height: 600, front: 1 }],
      attachments: [{ id: 4, fileName: 'a.pdf', url: '/a.pdf', fileSize: '1234' }],
      videos: [{ id: 5, embedCode: '<iframe src="https://example.org/v"></iframe>' }],
    },
  ]).records
  expect(story).toMatchObject({
    date: '2026-03-05T19:00:00',
    deployed: true,
    featured: true,
    links: [{ text: 'More', url: 'https://example.org/' }],
    images: [{ id: 3, url: '/a.jpg', caption: '', width: 800, height: 600, front: true }],
    attachments: [{ id: 4, fileName: 'a.pdf', fileSize: 1234 }],
    videos: [{ id: 5, embedCode: '<iframe src="https://example.org/v"></iframe>' }],
  })
})

test('reads the groups of a sign-up sheet once its details are available', () => {
  const sheet = { id: 1, status: 2, date: '2026-03-05' }
  const slot = { id: 3, number: '4', signedUp: [{ name: 'Robin Vale', note: null }] }
  const details = { sheet: { contact: 'Pat' }, groups: [{ id: 2, name: 'Grill', slots: [slot] }] }
  const { records } = readRecords('signup', [sheet, { ...sheet, id: 2, details }])
  expect(records[0]).toMatchObject({ id: 1, contact: '', groups: undefined })
  expect(records[1]).toMatchObject({
    contact: 'Pat',
    groups: [
      { id: 2, slots: [{ number: 4, position: '', signedUp: [{ name: 'Robin Vale', note: '' }] }] },
    ],
  })
})

test('reads the fields of a custom database in their order, with titles and values', () => {
  const record = { id: 1, archived: 1, created: '', year: 2011, make: ' Pierce ', notes: null }
  const fields = databaseFieldsFrom([
    { name: 'make', title: 'Make', type: 'text' },
    { name: 'year', type: 'number' },
    'not a field',
    { name: 'notes', title: 'Notes' },
    { name: 'missing', title: 'Missing' },
    { title: 'Without a name' },
  ])
  expect(readRecords('databases/2', [databaseItem(record, fields)]).records[0]).toMatchObject({
    id: 1,
    archived: true,
    fields: [
      { name: 'make', title: 'Make', value: 'Pierce' },
      { name: 'year', title: '', value: '2011' },
      { name: 'notes', title: 'Notes', value: '' },
      { name: 'missing', title: 'Missing', value: '' },
    ],
  })
})

test('rejects and reports only the invalid members of a list, at any depth', () => {
  const images = [{ id: 1, url: 'a' }, { url: 'no id' }, null, { id: 4, url: 'd' }]
  const story = { id: 7, date: '2026-03-05', images, links: ['no link'] }
  const { records, rejected } = readRecords('news', [story])
  expect(records[0]?.images.map(({ id }) => id)).toEqual([1, 4])
  expect(records[0]?.links).toEqual([])
  expect(rejected).toEqual([
    {
      id: '7',
      reason: expect.stringMatching(/links\.0.*images\.1\.id.*images\.2/),
      readable: 'part',
    },
  ])
  const slots = [{ id: 1 }, { id: 'x' }]
  const details = {
    groups: [
      { id: 1, slots },
      { id: 2, slots: [{ id: 0 }] },
    ],
  }
  const [sheet] = readRecords('signup', [{ id: 1, status: 2, date: '2026-03-05', details }]).records
  expect(sheet?.groups?.map((group) => group.slots.length)).toEqual([1, 0])
})

test.for([
  { name: 'never expires if the field is empty', expires: '', read: undefined },
  { name: 'never expires if the field is missing', expires: undefined, read: undefined },
  {
    name: 'expires at the given time',
    expires: '2026-03-05 19:00:00',
    read: '2026-03-05T19:00:00',
  },
])('an announcement $name', ({ expires, read }) => {
  const { records } = readRecords('announce', [{ id: 1, status: 2, expires }])
  expect(records).toMatchObject([{ expires: read }])
})

test('rejects an announcement with an invalid expiration time', () => {
  const { rejected } = readRecords('announce', [{ id: 1, status: 2, expires: 'next Friday' }])
  expect(rejected).toMatchObject([{ id: '1', reason: 'expires: not a date and time' }])
})

test('never throws, and either reads or rejects every item', () => {
  fc.assert(
    fc.property(fc.constantFrom(...recordKinds), fc.array(fc.anything()), (resource, items) => {
      const { records, rejected } = readRecords(resource, items)
      expect(records.length + rejected.length).toBe(items.length)
    }),
  )
})

test.for([
  ['', 0, 1000, 'images: only the first 1000 are read'],
  ['and invalid ones', 2, 998, 'images.0.id: '],
] as const)(
  'reads the first thousand members of a list with many %s',
  ([, invalid, count, reason]) => {
    const images = Array.from({ length: 150_000 }, (_, index) => ({ id: index + 1 }))
    const bad = Array.from({ length: invalid }, () => ({ id: 'x' }))
    const item = { ...site.news[0], images: [...bad, ...images, { id: 'x' }] }
    const { records, rejected } = readRecords('news', [item])
    expect(records[0]?.images.map(({ id }) => id)).toEqual(
      images.slice(0, count).map(({ id }) => id),
    )
    expect(rejected).toEqual([
      { id: String(item.id), reason: expect.stringContaining(reason), readable: 'part' },
    ])
  },
)

test('rejects a record whose lists in lists have too many members', () => {
  const sheet = itemsOf.signup[0] as { readonly id: number }
  const signedUp = Array.from({ length: 400 }, (_, index) => ({ id: index + 1 }))
  const slots = Array.from({ length: 40 }, (_, index) => ({ id: index + 1, signedUp }))
  const item = { ...sheet, details: { sheet: {}, groups: [{ id: 1, slots }] } }
  expect(readRecords('signup', [item]).rejected).toEqual([
    {
      id: String(sheet.id),
      reason: 'the lists in the record have more than 10000 members',
      readable: 'nothing',
    },
  ])
})
