import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../support/sandbox.ts'

/*
 * Tests the specification's section "Resource record shapes". All ids are numbers, and all other
 * properties are strings unless stated otherwise.
 */

type Shape = { readonly [name: string]: 'string' | 'number' | readonly [Shape] | Shape }

function shape(numbers: string, strings: string, nested: Shape = {}): Shape {
  return {
    ...Object.fromEntries(words(numbers).map((name) => [name, 'number' as const])),
    ...Object.fromEntries(words(strings).map((name) => [name, 'string' as const])),
    ...nested,
  }
}

function words(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '')
}

const history = 'created createdBy modified modifiedBy'
const eventNumbers = 'id status allDay'
const eventStrings = `title location contact text startDate endDate startTime endTime ${history}`
const file = shape('id fileSize', 'fileName extension')
const topic = shape('id status locked', 'title created createdBy lastPost')
const sheet = shape('id status', `title date eventDate ${history}`)

const day = /^\d{4}-\d\d-\d\d$/
const dayAndTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

const cases = [
  {
    path: 'announce/?All=1',
    items: shape('id status', `headline text expires ${history}`),
    forms: { created: dayAndTime, expires: /^$|^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/ },
  },
  {
    path: 'calendar/?All=1&MaxRows=1000',
    items: shape(`calendarId ${eventNumbers}`, `calendar ${eventStrings}`),
    forms: { startDate: day, endDate: day, startTime: /^$|^\d\d:\d\d:\d\d$/ },
  },
  {
    path: 'events/?All=1&MaxRows=1000',
    items: shape(eventNumbers, eventStrings),
    forms: { startDate: day, endDate: day, endTime: /^$|^\d\d:\d\d:\d\d$/ },
  },
  {
    path: 'news/',
    items: shape(
      'id deployed featured categoryId',
      `date headline author text address units mutualAid category ${history}`,
      {
        links: [shape('', 'text url')],
        images: [shape('id width height fileSize front', 'url caption')],
        attachments: [shape('id fileSize', 'fileName url extension posted')],
        videos: [shape('id', 'embedCode posted')],
      },
    ),
    forms: { date: dayAndTime },
  },
  {
    path: 'minutes/',
    items: shape('id status public categoryId', `meetingDate title text category ${history}`, {
      files: [file],
    }),
    forms: { meetingDate: day },
  },
  {
    path: 'documents/',
    items: shape('id status public categoryId', `title text category ${history}`, {
      files: [file],
    }),
    forms: { created: dayAndTime },
  },
  {
    path: 'guestbook/',
    items: shape('id status', 'created name email rank location website text'),
    forms: { created: dayAndTime },
  },
  { path: 'discuss/', items: { ...topic, replyCount: 'number' }, forms: { lastPost: dayAndTime } },
  { path: 'signup/?All=1', items: sheet, forms: { date: day } },
  {
    path: 'rental/?All=1',
    items: shape(
      'id typeId allDay',
      'type startDate endDate startTime endTime renter renterPhone details',
    ),
    extra: { startDate: 'string', endDate: 'string', rentalTypes: [shape('id', 'type')] },
    forms: { startDate: day, endDate: day },
  },
  {
    path: 'members/',
    items: shape(
      'id rankId memberTypeId',
      'deptId firstName middleInitial lastName rank memberType phone1 phone1Type phone2 phone2Type phone3 phone3Type email address1 address2 city state zip',
    ),
    forms: {},
  },
  { path: 'databases/', items: shape('id', 'title description type'), forms: {} },
  {
    path: 'databases/?DatabaseID=1',
    items: shape('id archived gpm', `${history} number street color notes`),
    extra: {
      database: 'string',
      databaseId: 'number',
      fields: [shape('primary', 'name title type')],
    },
    forms: { created: dayAndTime },
  },
  {
    path: 'training/',
    items: shape('id status hours', 'title description created modified'),
    forms: { created: dayAndTime },
  },
  {
    path: 'training/?Type=quizzes',
    items: shape(
      'id status hours graded passScore maxAttempts',
      'title description created modified',
    ),
    forms: { created: dayAndTime },
  },
  {
    path: 'training/?Type=certifications',
    items: shape('id status expiryMonths', 'name description created modified'),
    forms: { created: dayAndTime },
  },
  {
    path: 'training/?Type=membercerts',
    items: shape(
      'id status memberId certId',
      'member certName issued expires certNumber created modified',
    ),
    forms: { issued: day, expires: /^$|^\d{4}-\d\d-\d\d$/ },
  },
] satisfies readonly {
  path: string
  items: Shape
  extra?: Shape
  forms: Readonly<Record<string, RegExp>>
}[]

/** Returns the differences between a value and its specified shape. */
function faultsOf(value: unknown, expected: Shape[string], where: string): readonly string[] {
  if (typeof expected === 'string') {
    return typeof value === expected ? [] : [`${where} is ${typeof value}, not ${expected}`]
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(value)) return [`${where} is no array`]
    return value.flatMap((item, index) => faultsOf(item, expected[0], `${where}[${index}]`))
  }
  if (typeof value !== 'object' || value === null) return [`${where} is no object`]
  const names = new Set([...Object.keys(expected), ...Object.keys(value)])
  return [...names].flatMap((name) => {
    const wanted = (expected as Shape)[name]
    if (wanted === undefined) return [`${where}.${name} is not in the specification`]
    return faultsOf((value as Readonly<Record<string, unknown>>)[name], wanted, `${where}.${name}`)
  })
}

describe('the specified shape is returned for', () => {
  test.for(cases)('$path', async ({ path, items, forms, extra }) => {
    const { get } = await startSandbox()
    const { status, body } = await get(`/apps/api/${path}`)
    expect(status).toBe(200)
    expect(body.items.length).toBeGreaterThan(0)
    expect(faultsOf(body.items, [items], 'items')).toEqual([])
    for (const [name, value] of Object.entries(extra ?? {})) {
      expect(faultsOf(body[name], value, name)).toEqual([])
    }
    for (const [name, form] of Object.entries(forms)) {
      for (const item of body.items) expect(item[name], `${path} ${item.id} ${name}`).toMatch(form)
    }
  })

  test('the groups in a sign-up sheet', async () => {
    const { get } = await startSandbox()
    const { body: list } = await get('/apps/api/signup/?All=1')
    for (const { id } of list.items.slice(0, 5)) {
      const { body } = await get(`/apps/api/signup/?ID=${id}`)
      const slot = shape('id number', 'position', { signedUp: [shape('', 'name note date')] })
      const group = shape('id', 'name', { slots: [slot] })
      expect(body.items.length).toBeGreaterThan(0)
      expect(faultsOf(body.items, [group], 'items')).toEqual([])
      expect(faultsOf(body.sheet, { ...sheet, contact: 'string' }, 'sheet')).toEqual([])
    }
  })

  test('a forum topic and its replies', async () => {
    const { get } = await startSandbox()
    const { body: list } = await get('/apps/api/discuss/')
    const { id } = list.items.find(({ replyCount }: { replyCount: number }) => replyCount > 0)
    const { body } = await get(`/apps/api/discuss/?ID=${id}`)
    expect(body.items.length).toBeGreaterThan(0)
    expect(faultsOf(body.items, [{ ...topic, text: 'string' }], 'items')).toEqual([])
    const whole = { ...topic, text: 'string', replyCount: 'number' } as const
    expect(faultsOf(body.topic, whole, 'topic')).toEqual([])
  })
})
