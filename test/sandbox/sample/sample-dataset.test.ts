import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DateTime } from 'luxon'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { resourceNames, resources } from '../../../src/sandbox/resources/resources.ts'
import {
  sampleDatasetOn,
  sampleFiles,
  sampleTimeZone,
} from '../../../src/sandbox/sample/sample-dataset.ts'
import { startSandbox } from '../../support/sandbox.ts'

const today = '2026-03-05'
const sample = sampleDatasetOn(today)
const threeStatuses = [
  ...(['announce', 'calendar', 'events', 'minutes'] as const),
  ...(['documents', 'guestbook', 'signup'] as const),
]

test.for([today, '2026-07-31', '2028-02-29', '2027-01-01'])(
  'has valid records with unique ids for each resource on %s',
  (day) => {
    const dataset = sampleDatasetOn(day)
    for (const name of resourceNames) {
      const records = dataset[name]
      const { error } = z.array(resources[name].record).safeParse(records)
      expect([name, error?.issues ?? []]).toEqual([name, []])
      const ids = records.map(
        (record) => `${'type' in record && name === 'training' ? record.type : ''}${record.id}`,
      )
      expect(new Set(ids).size).toBe(records.length)
      expect(records.length).toBeGreaterThan(0)
    }
  },
)

const dated = [
  ...(['calendar', 'events', 'news', 'announce', 'minutes'] as const),
  ...(['signup', 'rental', 'discuss', 'guestbook'] as const),
]

test.for(dated)('returns the same %s for a given date on whatever day it is called', (name) => {
  const later = new Map<number, unknown>(
    sampleDatasetOn('2026-03-20')[name].map((record) => [record.id, record]),
  )
  const shared = sample[name].filter(({ id }) => later.has(id))
  expect(shared.length).toBeGreaterThan(5)
  for (const record of shared) expect(later.get(record.id)).toEqual(record)
})

test('a training record keeps its id and content from year to year, except for its status', () => {
  const later = new Map(sampleDatasetOn('2027-03-05').training.map((r) => [keyOf(r), r]))
  const shared = sample.training.filter((record) => later.has(keyOf(record)))
  expect(shared.length).toBeGreaterThan(30)
  for (const record of shared) {
    expect({ ...later.get(keyOf(record)), status: 0 }).toEqual({ ...record, status: 0 })
  }
})

describe('the events in four calendars', () => {
  const { calendar } = sample

  test('cover more than twelve months', () => {
    const dates = calendar.map(({ startDate }) => startDate).sort()
    const from = DateTime.fromISO(dates[0] ?? '')
    expect(DateTime.fromISO(dates.at(-1) ?? '').diff(from, 'months').months).toBeGreaterThan(12)
    expect(new Set(calendar.map(({ calendar }) => calendar)).size).toBe(4)
  })

  test.for([
    ['all-day', ({ allDay, startDate, endDate }) => allDay === 1 && startDate === endDate],
    ['multi-day', ({ allDay, startDate, endDate }) => allDay === 1 && startDate < endDate],
    ['timed', ({ startTime, endTime }) => startTime !== '' && endTime > startTime],
    ['overnight', ({ startTime, endTime }) => endTime !== '' && endTime < startTime],
    ['without an end', ({ allDay, endTime }) => allDay === 0 && endTime === ''],
    ['pending', ({ status }) => status === 0],
    ['offline', ({ status }) => status === 1],
    ['online', ({ status }) => status === 2],
  ] as const satisfies readonly [string, (event: (typeof calendar)[number]) => boolean][])(
    'have %s events',
    ([, isSuch]) => {
      expect(
        [
          ...calendar,
          ...sample.events.map((event) => ({ calendarId: 0, calendar: '', ...event })),
        ].some(isSuch),
      ).toBe(true)
    },
  )

  test.for([
    ['into daylight saving time', 60],
    ['out of daylight saving time', -60],
  ] as const)('include an event that spans the change %s', ([, minutes]) => {
    const across = calendar.filter(
      ({ startDate, startTime, endDate, endTime }) =>
        endTime !== '' && offset(endDate, endTime) - offset(startDate, startTime) === minutes,
    )
    expect(across.length).toBeGreaterThan(0)
  })
})

test('has news with images, attachments and videos that the sandbox itself serves', async () => {
  const { get, call, sandbox } = await startSandbox()
  const { body } = await get('/apps/api/news/')
  type File = { readonly url: string; readonly fileSize: number }
  const files: File[] = body.items.flatMap(
    ({ images, attachments }: { images: File[]; attachments: File[] }) => [
      ...images,
      ...attachments,
    ],
  )
  expect(files.length).toBeGreaterThan(50)
  const sizes = new Map(files.map(({ url, fileSize }) => [url, fileSize]))
  for (const [url, fileSize] of sizes) {
    const { status, headers } = await call('GET', url.slice(sandbox.url.length))
    expect(status).toBe(200)
    expect(Number(headers['content-length'])).toBe(fileSize)
    expect(headers['content-type']).toMatch(/^(image\/jpeg|application\/pdf)$/)
  }
  const embedCodes: string = JSON.stringify(
    body.items.map(({ videos }: { videos: object }) => videos),
  )
  const video = /https:\/\/localhost:\d+(\/files\/\w+\.webm)/.exec(embedCodes)?.[1] ?? ''
  const { status, headers } = await call('GET', video)
  expect([status, headers['content-type']]).toEqual([200, 'video/webm'])
})

test('has pictures whose dimensions match their descriptions', () => {
  for (const { url, width, height } of sample.news.flatMap(({ images }) => images)) {
    const path = join(sampleFiles, url.slice('/files/'.length))
    expect(existsSync(path)).toBe(true)
    expect(jpegSize(readFileSync(path))).toEqual({ width, height })
  }
})

test('has records of every status for every resource on any day', () => {
  const fourStatuses = [0, 1, 2, 3]
  for (let step = 0; step < 20; step += 1) {
    const day =
      DateTime.fromISO(today)
        .plus({ days: step * 18 })
        .toISODate() ?? ''
    const dataset = sampleDatasetOn(day)
    const certs = dataset.training.filter(({ type }) => type === 'membercerts')
    expect(statuses(certs)).toEqual(fourStatuses)
    for (const name of threeStatuses) expect(statuses(dataset[name])).toEqual([0, 1, 2])
    expect(statuses(dataset.discuss)).toEqual([1, 2, 3])
    expect(new Set(dataset.news.map(({ deployed }) => deployed)).size).toBe(2)
    expect(statuses(dataset.training.filter(({ type }) => type === 'quizzes'))).toEqual([0, 1])
  }
})

test('has sign-up sheets with open, partly filled and full slots', () => {
  const slots = sample.signup.flatMap(({ groups }) => groups.flatMap(({ slots }) => slots))
  expect(slots.some(({ signedUp }) => signedUp.length === 0)).toBe(true)
  expect(
    slots.some(({ number, signedUp }) => signedUp.length > 0 && signedUp.length < number),
  ).toBe(true)
  expect(slots.some(({ number, signedUp }) => signedUp.length === number)).toBe(true)
  expect(slots.every(({ number, signedUp }) => signedUp.length <= number)).toBe(true)
})

test('contains only fictional addresses, phone numbers and hosts', () => {
  const text = JSON.stringify(sample)
  const hosts = [...text.matchAll(/https?:\/\/([^/"\\]+)/g)].map(([, host]) => host)
  expect(new Set(hosts.filter((host) => !host?.endsWith('.example')))).toEqual(
    new Set(['www.youtube.com']),
  )
  const mail = [...text.matchAll(/[\w.]+@([\w.]+)/g)].map(([, host]) => host)
  expect(mail.filter((host) => !/(^|\.)example(\.org)?$/.test(host ?? ''))).toEqual([])
  const phones = [...text.matchAll(/\b\d{3}-\d{4}\b/g)].map(([phone]) => phone)
  expect(
    phones.filter((phone) => !phone.startsWith('555-01') && !phone.startsWith('555-02')),
  ).toEqual([])
})

function jpegSize(bytes: Buffer) {
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0
    if (marker >= 0xc0 && marker <= 0xc2) {
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    }
  }
  return undefined
}

function offset(date: string, time: string): number {
  return DateTime.fromISO(`${date}T${time}`, { zone: sampleTimeZone }).offset
}

function statuses(records: readonly { readonly status: number }[]): readonly number[] {
  return [...new Set(records.map(({ status }) => status))].toSorted((a, b) => a - b)
}

function keyOf({ type, id }: { readonly type: string; readonly id: number }): string {
  return `${type} ${id}`
}
