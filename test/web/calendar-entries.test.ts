import { afterAll, expect, test } from 'vitest'
import { personalResources } from '../../src/records/resources.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { startTestService } from '../support/service.ts'

const day = '2026-03-14'
const signedUp = [{ name: 'Ann Zq', note: '', date: '2026-03-01 12:00:00' }]
const slots = [{ id: 1, number: 2, position: 'Driver', signedUp }]
const groups = [{ id: 1, name: 'Engine 1', slots }]

/** The records of a member's own entries, all with a title that begins with `zqown`. */
const ownRecords = {
  members: { id: 7, firstName: 'Ann', lastName: 'Zq', middleInitial: '', rank: '' },
  signup: { id: 5, title: 'zqown sheet', status: 2, date: day, eventDate: '', contact: '', groups },
  training: {
    type: 'membercerts',
    id: 9,
    status: 1,
    memberId: 7,
    certId: 3,
    certName: 'zqown card',
    expires: day,
  },
} satisfies Record<(typeof personalResources)[number], object>

const service = await startTestService({
  sandbox: {
    datasetOn: (today) => {
      const lists = Object.entries(ownRecords).map(([name, record]) => [name, [record]])
      return { ...sampleDatasetOn(today), ...Object.fromEntries(lists) }
    },
  },
})
afterAll(() => service[Symbol.asyncDispose]())

test('lists a member’s own entries from every source on each page', async () => {
  const link = await service.addLink({ memberId: 7, feedIds: ['events'] })
  const ownOn = async (path: string) => {
    const { text } = await service.get(`${link}${path}`)
    return [...new Set(text.match(/zqown \w+/g))].toSorted()
  }
  await service.readAll()
  // Gives the service time to read the sheet's details.
  await service.clock.advance(60_000)
  const own = await ownOn('my.ics')
  expect(own).toHaveLength(personalResources.filter((each) => each !== 'members').length)
  for (const path of [
    '',
    'agenda',
    'agenda?show=personal',
    'month/2026-03',
    'my.rss?show=personal',
  ])
    expect([path, await ownOn(path)]).toEqual([path, own])
})
