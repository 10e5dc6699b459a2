import { describe, expect, test } from 'vitest'
import { datasetOf } from '../support/dataset.ts'
import { failure, idsOf, startSandbox } from '../support/sandbox.ts'

/* The specification's table "Data endpoints". It is 2026-03-05, 10:00 in the morning. */

async function sandboxWith(records: Parameters<typeof datasetOf>[0]) {
  const dataset = datasetOf(records)
  const { get } = await startSandbox({ datasetOn: () => dataset })
  return {
    get,
    ids: async (path: string) => idsOf(await get(`/apps/api/${path}`)),
    bodyOf: async (path: string) => (await get(`/apps/api/${path}`)).body,
  }
}

const notFound = failure(404, 'Not Found', 'not_found')

describe('announce', () => {
  const announcement = (id: number, created: string, expires: string, status = 2) => ({
    id,
    headline: 'h',
    status,
    expires,
    created: `${created} 09:00:00`,
  })
  const announce = [
    announcement(1, '2026-03-01', '2026-03-05 09:59:59'),
    announcement(2, '2026-03-02', '2026-03-05 10:00:00'),
    announcement(3, '2026-03-03', '2026-03-05 10:00:01', 0),
    announcement(4, '2026-03-04', '', 1),
  ]

  test('announcements in any status; default listing excludes expired ones', async () => {
    const { ids } = await sandboxWith({ announce })
    expect(await ids('announce/')).toEqual([3, 4])
  })

  test('All: 1 = include expired', async () => {
    const { ids } = await sandboxWith({ announce })
    expect(await ids('announce/?All=1')).toEqual([1, 2, 3, 4])
    expect(await ids('announce/?All=0')).toEqual([3, 4])
  })

  test('ID: single announcement, returned even if expired', async () => {
    const { ids } = await sandboxWith({ announce })
    expect(await ids('announce/?ID=1')).toEqual([1])
  })

  test('StartDate, EndDate: filter on created date, inclusive', async () => {
    const { ids } = await sandboxWith({ announce })
    expect(await ids('announce/?All=1&StartDate=2026-03-02&EndDate=2026-03-03')).toEqual([2, 3])
    expect(await ids('announce/?All=1&StartDate=2026-03-03')).toEqual([3, 4])
    expect(await ids('announce/?All=1&EndDate=2026-03-02')).toEqual([1, 2])
  })
})

const happening = (id: number, startDate: string, endDate: string, status = 2) => ({
  id,
  title: 't',
  status,
  startDate,
  endDate,
  allDay: 1,
})

describe('calendar', () => {
  const calendar = [
    happening(1, '2026-03-01', '2026-03-04'),
    happening(2, '2026-03-01', '2026-03-05', 0),
    happening(3, '2026-04-04', '2026-04-06', 1),
    happening(4, '2026-04-05', '2026-04-05'),
    happening(5, '2026-02-20', '2026-05-20'),
  ].map((event) => ({ ...event, calendarId: event.id % 2 === 0 ? 2 : 1, calendar: 'c' }))

  test('default window: today to 30 days after; events overlapping the range, in any status', async () => {
    const { bodyOf } = await sandboxWith({ calendar })
    const body = await bodyOf('calendar/')
    expect(idsOf({ body })).toEqual([2, 3, 5])
    expect(body).toMatchObject({ startDate: '2026-03-05', endDate: '2026-04-04' })
  })

  test('StartDate, EndDate: events overlapping the range are returned', async () => {
    const { bodyOf } = await sandboxWith({ calendar })
    const body = await bodyOf('calendar/?StartDate=2026-03-04&EndDate=2026-03-04')
    expect(idsOf({ body })).toEqual([1, 2, 5])
    expect(body).toMatchObject({ startDate: '2026-03-04', endDate: '2026-03-04' })
  })

  test('either date alone goes with the default of the other', async () => {
    const { bodyOf } = await sandboxWith({ calendar })
    const early = await bodyOf('calendar/?StartDate=2026-03-02')
    expect(early).toMatchObject({ startDate: '2026-03-02', endDate: '2026-04-04' })
    const late = await bodyOf('calendar/?EndDate=2026-04-05')
    expect(late).toMatchObject({ startDate: '2026-03-05', endDate: '2026-04-05' })
    expect(idsOf({ body: late })).toEqual([2, 3, 4, 5])
  })

  test('CalendarID: one calendar', async () => {
    const { ids } = await sandboxWith({ calendar })
    expect(await ids('calendar/?CalendarID=1')).toEqual([3, 5])
    expect(await ids('calendar/?CalendarID=9')).toEqual([])
  })

  test('All: every event, no date window', async () => {
    const { bodyOf } = await sandboxWith({ calendar })
    const body = await bodyOf('calendar/?All=1&StartDate=2026-03-05')
    expect(idsOf({ body })).toEqual([1, 2, 3, 4, 5])
    expect(body).toMatchObject({ startDate: '', endDate: '' })
  })

  test('ID: single event, returned regardless of dates', async () => {
    const { bodyOf } = await sandboxWith({ calendar })
    const body = await bodyOf('calendar/?ID=1')
    expect(idsOf({ body })).toEqual([1])
    expect(body).toMatchObject({ startDate: '', endDate: '', totalCount: 1 })
    expect(await bodyOf('calendar/?ID=99')).toEqual(notFound)
  })
})

describe('events', () => {
  const events = [
    happening(1, '2026-03-01', '2026-03-04'),
    happening(2, '2026-03-01', '2026-03-05', 1),
    happening(3, '2030-01-01', '2030-01-01', 0),
    { ...happening(4, '2026-03-04', ''), allDay: 0 },
  ]

  test('without a date range returns current and upcoming events, in any status', async () => {
    const { ids } = await sandboxWith({ events })
    expect(await ids('events/')).toEqual([2, 3])
  })

  test('All: every event, past and future', async () => {
    const { ids } = await sandboxWith({ events })
    expect(await ids('events/?All=1')).toEqual([1, 2, 3, 4])
  })

  test('StartDate, EndDate: events overlapping the range are returned', async () => {
    const { ids } = await sandboxWith({ events })
    expect(await ids('events/?StartDate=2026-03-04&EndDate=2026-03-04')).toEqual([1, 2, 4])
    expect(await ids('events/?EndDate=2026-03-03')).toEqual([1, 2])
    expect(await ids('events/?StartDate=2026-03-06')).toEqual([3])
  })

  test('ID: one event, whatever its dates', async () => {
    const { ids, bodyOf } = await sandboxWith({ events })
    expect(await ids('events/?ID=1')).toEqual([1])
    expect(await bodyOf('events/?ID=5')).toEqual(notFound)
  })
})

describe('rental', () => {
  const rental = [
    happening(1, '2026-03-01', '2026-03-04'),
    happening(2, '2026-03-04', '2026-03-05'),
    happening(3, '2026-06-03', '2026-06-04'),
    happening(4, '2026-06-04', '2026-06-04'),
  ].map(({ title: _title, status: _status, ...booking }) => ({
    ...booking,
    typeId: booking.id === 2 ? 7 : 3,
    type: booking.id === 2 ? 'Hall' : 'Pavilion',
  }))
  const rentalTypes = [
    { id: 3, type: 'Pavilion' },
    { id: 7, type: 'Hall' },
  ]

  test('default window today through 90 days after; bookings overlapping the range', async () => {
    const { bodyOf } = await sandboxWith({ rental })
    const body = await bodyOf('rental/')
    expect(idsOf({ body })).toEqual([2, 3])
    expect(body).toMatchObject({ startDate: '2026-03-05', endDate: '2026-06-03', rentalTypes })
  })

  test('TypeID, with the types for mapping it', async () => {
    const { bodyOf } = await sandboxWith({ rental })
    const body = await bodyOf('rental/?TypeID=3')
    expect(idsOf({ body })).toEqual([3])
    expect(body.rentalTypes).toEqual(rentalTypes)
  })

  test('StartDate and EndDate, All and ID', async () => {
    const { ids, bodyOf } = await sandboxWith({ rental })
    expect(await ids('rental/?StartDate=2026-03-04&EndDate=2026-03-04')).toEqual([1, 2])
    expect(await ids('rental/?All=1')).toEqual([1, 2, 3, 4])
    expect(await bodyOf('rental/?ID=1')).toMatchObject({ startDate: '', endDate: '', rentalTypes })
    expect(await ids('rental/?ID=1')).toEqual([1])
    expect(await bodyOf('rental/?ID=9')).toEqual(notFound)
  })
})

describe('news', () => {
  const news = [
    { id: 1, date: '2026-01-01 00:00:00', headline: 'h', categoryId: 1, category: 'c' },
    {
      id: 2,
      date: '2026-01-02 23:59:59',
      headline: 'h',
      categoryId: 2,
      category: 'd',
      deployed: 1,
    },
    { id: 3, date: '2027-01-03 12:00:00', headline: 'h', categoryId: 1, category: 'c' },
  ]

  test('all news stories, deployed or not', async () => {
    const { ids } = await sandboxWith({ news })
    expect(await ids('news/')).toEqual([1, 2, 3])
  })

  test('ID, CategoryID, and StartDate, EndDate on story date, inclusive', async () => {
    const { ids, bodyOf } = await sandboxWith({ news })
    expect(await ids('news/?ID=3')).toEqual([3])
    expect(await bodyOf('news/?ID=4')).toEqual(notFound)
    expect(await ids('news/?CategoryID=1')).toEqual([1, 3])
    expect(await ids('news/?StartDate=2026-01-02&EndDate=2026-01-02')).toEqual([2])
    expect(await ids('news/?CategoryID=1&EndDate=2026-12-31')).toEqual([1])
  })

  test('a path of the website itself is completed', async () => {
    const image = { id: 1, url: '/files/a.jpg', width: 1, height: 1, fileSize: 1 }
    const embedCode = '<video src="/files/a.webm"></video>'
    const [story] = news
    const { bodyOf } = await sandboxWith({
      news: [{ ...story, images: [image], videos: [{ id: 1, embedCode }] }],
    })
    const [{ images, videos }] = (await bodyOf('news/')).items
    expect(images[0].url).toMatch(/^https:\/\/localhost:\d+\/files\/a\.jpg$/)
    expect(videos[0].embedCode).toMatch(/src="https:\/\/localhost:\d+\/files\/a\.webm"/)
  })
})

describe.for(['minutes', 'documents'] as const)('%s', (name) => {
  const record = (id: number, date: string, categoryId: number, isPublic: number) => ({
    id,
    title: 't',
    status: id % 3,
    public: isPublic,
    categoryId,
    category: 'c',
    ...(name === 'minutes' ? { meetingDate: date } : { created: `${date} 23:00:00` }),
  })
  const records = [
    record(1, '2026-01-01', 1, 0),
    record(2, '2026-01-02', 2, 1),
    record(3, '2026-01-03', 1, 1),
  ]

  test('in any status, with categories and files', async () => {
    const { ids, bodyOf } = await sandboxWith({ [name]: records })
    expect(await ids(`${name}/`)).toEqual([1, 2, 3])
    expect((await bodyOf(`${name}/`)).items[0]).toMatchObject({ category: 'c', files: [] })
  })

  test('ID; CategoryID; Public (1 = only public); StartDate, EndDate, inclusive', async () => {
    const { ids, bodyOf } = await sandboxWith({ [name]: records })
    expect(await ids(`${name}/?ID=1`)).toEqual([1])
    expect(await bodyOf(`${name}/?ID=4`)).toEqual(notFound)
    expect(await ids(`${name}/?CategoryID=1`)).toEqual([1, 3])
    expect(await ids(`${name}/?Public=1`)).toEqual([2, 3])
    expect(await ids(`${name}/?Public=0`)).toEqual([1, 2, 3])
    expect(await ids(`${name}/?StartDate=2026-01-02`)).toEqual([2, 3])
    expect(await ids(`${name}/?EndDate=2026-01-02`)).toEqual([1, 2])
    expect(await ids(`${name}/?CategoryID=1&Public=1&StartDate=2026-01-01`)).toEqual([3])
  })
})

describe('guestbook', () => {
  const guestbook = [1, 2, 3].map((id) => ({
    id,
    created: `2026-01-0${id} 08:00:00`,
    status: id % 3,
    name: 'n',
  }))

  test('entries in any status; ID; StartDate, EndDate on entry date, inclusive', async () => {
    const { ids, bodyOf } = await sandboxWith({ guestbook })
    expect(await ids('guestbook/')).toEqual([1, 2, 3])
    expect(await ids('guestbook/?ID=2')).toEqual([2])
    expect(await bodyOf('guestbook/?ID=4')).toEqual(notFound)
    expect(await ids('guestbook/?StartDate=2026-01-02&EndDate=2026-01-03')).toEqual([2, 3])
    expect(await ids('guestbook/?EndDate=2026-01-01')).toEqual([1])
  })
})

describe('members', () => {
  const members = [1, 2].map((id) => ({
    id,
    firstName: 'f',
    lastName: 'l',
    rankId: 1,
    rank: 'r',
    memberTypeId: 1,
    memberType: 'm',
  }))

  test('active member roster; ID: single member', async () => {
    const { ids, bodyOf } = await sandboxWith({ members })
    expect(await ids('members/')).toEqual([1, 2])
    expect(await ids('members/?ID=2')).toEqual([2])
    expect(await bodyOf('members/?ID=3')).toEqual(notFound)
  })
})

describe('databases', () => {
  const databases = [
    {
      id: 4,
      title: 'Hydrants',
      description: 'd',
      type: 'Custom',
      fields: [
        { name: 'street', title: 'Street', type: 'text', primary: 1 },
        { name: 'flow', title: 'Flow', type: 'number' },
      ],
      records: [
        { id: 1, street: 'Main', flow: 900 },
        { id: 2, street: 'Mill', archived: 1 },
      ],
    },
    { id: 5, title: 'Empty', fields: [] },
  ]

  test('without DatabaseID lists the databases', async () => {
    const { bodyOf } = await sandboxWith({ databases })
    expect((await bodyOf('databases/')).items).toEqual([
      { id: 4, title: 'Hydrants', description: 'd', type: 'Custom' },
      { id: 5, title: 'Empty', description: '', type: '' },
    ])
  })

  test('with DatabaseID: its records with every field, archived ones included', async () => {
    const { bodyOf } = await sandboxWith({ databases })
    const history = { created: '', createdBy: '', modified: '', modifiedBy: '' }
    expect(await bodyOf('databases/?DatabaseID=4')).toMatchObject({
      database: 'Hydrants',
      databaseId: 4,
      fields: [
        { name: 'street', title: 'Street', type: 'text', primary: 1 },
        { name: 'flow', title: 'Flow', type: 'number', primary: 0 },
      ],
      totalCount: 2,
      items: [
        { id: 1, archived: 0, ...history, street: 'Main', flow: 900 },
        { id: 2, archived: 1, ...history, street: 'Mill', flow: '' },
      ],
    })
    expect(await bodyOf('databases/?DatabaseID=6')).toEqual(notFound)
  })
})

describe('discuss', () => {
  const post = (id: number, status: number) => ({
    id,
    title: `post ${id}`,
    status,
    created: '2026-01-01 08:00:00',
    lastPost: `2026-01-0${id} 08:00:00`,
    text: `text ${id}`,
  })
  const discuss = [
    { ...post(1, 1), replies: [post(7, 1), post(8, 2), post(9, 1)] },
    { ...post(2, 2), replyCount: 5 },
    { ...post(3, 3), locked: 1 },
  ]

  test('topics in any status, with the number of online replies', async () => {
    const { bodyOf } = await sandboxWith({ discuss })
    const { items } = await bodyOf('discuss/')
    expect(items.map(({ replyCount }: { replyCount: number }) => replyCount)).toEqual([2, 5, 0])
    expect(items[2]).toMatchObject({ id: 3, status: 3, locked: 1 })
    expect(items[0]).not.toHaveProperty('text')
    expect(items[0]).not.toHaveProperty('replies')
  })

  test('StartDate, EndDate: filter on last post date, inclusive', async () => {
    const { ids } = await sandboxWith({ discuss })
    expect(await ids('discuss/?StartDate=2026-01-02&EndDate=2026-01-02')).toEqual([2])
    expect(await ids('discuss/?StartDate=2026-01-02')).toEqual([2, 3])
  })

  test('ID: its replies in items and the topic in topic', async () => {
    const { ids, bodyOf } = await sandboxWith({ discuss })
    expect(await ids('discuss/?ID=1')).toEqual([7, 8, 9])
    const { topic, totalCount, items } = await bodyOf('discuss/?ID=1&MaxRows=1')
    expect(topic).toMatchObject({ id: 1, title: 'post 1', text: 'text 1', replyCount: 2 })
    expect(items).toHaveLength(1)
    expect(totalCount).toBe(3)
    expect(await bodyOf('discuss/?ID=7')).toEqual(notFound)
  })
})

describe('signup', () => {
  const sheet = (id: number, date: string, status: number) => ({ id, title: 't', status, date })
  const slots = [{ id: 5, number: 2, position: 'Cook', signedUp: [{ name: 'Ann', note: 'late' }] }]
  const signup = [
    { ...sheet(1, '2026-03-04', 2), contact: 'Jo', groups: [{ id: 3, name: 'Kitchen', slots }] },
    sheet(2, '2026-03-05', 0),
    sheet(3, '2027-03-05', 1),
  ]

  test('sheets in any status; default listing is upcoming sheets only', async () => {
    const { ids } = await sandboxWith({ signup })
    expect(await ids('signup/')).toEqual([2, 3])
  })

  test('All: 1 = include past sheets', async () => {
    const { ids } = await sandboxWith({ signup })
    expect(await ids('signup/?All=1')).toEqual([1, 2, 3])
  })

  test('ID: items hold its groups with slots and sign-ups, and the sheet is in sheet', async () => {
    const { bodyOf } = await sandboxWith({ signup })
    const { sheet, items } = await bodyOf('signup/?ID=1')
    expect(sheet).toMatchObject({ id: 1, title: 't', date: '2026-03-04', contact: 'Jo' })
    expect(sheet).not.toHaveProperty('groups')
    expect(items).toEqual([
      {
        id: 3,
        name: 'Kitchen',
        slots: [
          {
            id: 5,
            number: 2,
            position: 'Cook',
            signedUp: [{ name: 'Ann', note: 'late', date: '' }],
          },
        ],
      },
    ])
    expect(await bodyOf('signup/?ID=4')).toEqual(notFound)
  })

  test('the list shows neither contact nor groups', async () => {
    const { bodyOf } = await sandboxWith({ signup })
    for (const item of (await bodyOf('signup/?All=1')).items) {
      expect(Object.keys(item)).not.toContain('contact')
      expect(Object.keys(item)).not.toContain('groups')
    }
  })
})

describe('training', () => {
  const course = (type: string, id: number, restrictedTo: number[] = []) => ({
    type,
    id,
    title: `${type} ${id}`,
    status: id % 2,
    restrictedTo,
  })
  const cert = (id: number, memberId: number) => ({
    type: 'membercerts',
    id,
    status: id % 4,
    memberId,
    member: 'm',
    certId: 1,
    certName: 'c',
  })
  const training = [
    course('presentations', 1),
    course('presentations', 2),
    course('presentations', 3, [8]),
    course('quizzes', 1),
    course('quizzes', 2, [8]),
    { type: 'certifications', id: 1, name: 'n', status: 1 },
    { type: 'certifications', id: 2, name: 'n', status: 0, restrictedTo: [8, 9] },
    cert(1, 8),
    cert(2, 9),
    cert(3, 8),
  ]

  test.for([
    { query: '', type: 'presentations', ids: [1, 2] },
    { query: '?Type=presentations', type: 'presentations', ids: [1, 2] },
    { query: '?Type=quizzes', type: 'quizzes', ids: [1] },
    { query: '?Type=certifications', type: 'certifications', ids: [1] },
    { query: '?Type=membercerts', type: 'membercerts', ids: [1, 2, 3] },
    { query: '?Type=membercerts&MemberID=8', type: 'membercerts', ids: [1, 3] },
    { query: '?Type=quizzes&MemberID=8', type: 'quizzes', ids: [1] },
    { query: '?Type=membercerts&ID=2', type: 'membercerts', ids: [2] },
    { query: '?ID=2', type: 'presentations', ids: [2] },
  ])('$query shows type $type, in any status: $ids', async ({ query, type, ids }) => {
    const { bodyOf } = await sandboxWith({ training })
    const body = await bodyOf(`training/${query}`)
    expect(body.type).toBe(type)
    expect(idsOf({ body })).toEqual(ids)
    for (const item of body.items) expect(item).not.toHaveProperty('restrictedTo')
  })

  test('items restricted to specific members are excluded, also by ID', async () => {
    const { bodyOf } = await sandboxWith({ training })
    for (const query of ['ID=3', 'Type=quizzes&ID=2', 'Type=certifications&ID=2']) {
      expect(await bodyOf(`training/?${query}`)).toEqual(notFound)
    }
  })

  test('a Type outside the four is invalid_parameter', async () => {
    const { bodyOf } = await sandboxWith({ training })
    for (const type of ['exams', 'Quizzes', '', 'constructor']) {
      expect(await bodyOf(`training/?Type=${type}`)).toEqual(
        failure(400, 'Bad Request', 'invalid_parameter'),
      )
    }
  })
})
