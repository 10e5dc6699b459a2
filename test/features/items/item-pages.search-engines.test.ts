import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Dataset } from '../../../src/sandbox/resources/resources.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { sampleEvent } from '../../support/sample-event.ts'
import { startTestService } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'

const hourMs = 60 * 60 * 1000

const sample = sampleDatasetOn('2026-03-05')

const drill = sampleEvent(20990001, '2026-03-10T19:00:00', '2026-03-10T21:00:00', {
  title: 'Open drill',
  location: 'https://video.example/drill',
})
const canceled = { ...drill, id: 20990002, title: 'Canceled drill' }
const nowhere = { ...drill, id: 20990003, location: '', contact: '', text: '' }

const dateOrTime = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: false })])

const line = z.string().min(1)

/** Required and recommended properties of https://developers.google.com/search/docs/appearance/structured-data/event. */
const searchEvent = z
  .strictObject({
    '@context': z.literal('https://schema.org'),
    '@type': z.literal('Event'),
    name: line,
    startDate: dateOrTime,
    // The website does not always know it.
    endDate: dateOrTime.optional(),
    eventStatus: z.enum([
      'https://schema.org/EventScheduled',
      'https://schema.org/EventRescheduled',
    ]),
    previousStartDate: z.array(dateOrTime).min(1).optional(),
    eventAttendanceMode: z.enum([
      'https://schema.org/OfflineEventAttendanceMode',
      'https://schema.org/OnlineEventAttendanceMode',
    ]),
    location: z.union([
      z.strictObject({ '@type': z.literal('Place'), name: line, address: line }),
      z.strictObject({ '@type': z.literal('VirtualLocation'), url: z.url() }),
    ]),
    description: line,
    image: z.array(z.url()).min(1),
    url: z.url(),
    organizer: z.strictObject({ '@type': z.literal('Organization'), name: line, url: z.url() }),
  })
  .refine(({ startDate, endDate }) => endDate === undefined || startDate <= endDate)
  .refine(
    ({ eventStatus, previousStartDate }) =>
      eventStatus.endsWith('Rescheduled') === (previousStartDate !== undefined),
  )

function structuredDataIn(page: string): unknown {
  const [, data] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? []
  return data && JSON.parse(data)
}

test('describes events of all kinds to search engines', async () => {
  let dataset: Dataset = { ...sample, events: [...sample.events, drill, canceled, nowhere] }
  await using service = await startTestService({
    identity: { place: 'Cedar Hollow, NY' },
    sandbox: { datasetOn: () => dataset },
  })
  const { url, clock, sandbox } = service
  const textAt = async (path: string) => (await fetch(`${url}/${path}`)).text()
  const list: { readonly items: readonly { readonly url: string }[] } = JSON.parse(
    await textAt('events.json?limit=30'),
  )
  expect(list.items.length).toBeGreaterThan(10)
  for (const item of list.items) {
    const data = structuredDataIn(await (await fetch(item.url)).text())
    expect(searchEvent.parse(data)).toMatchObject({ url: item.url })
  }
  const dataOf = async ({ id }: { readonly id: number }) =>
    searchEvent.parse(structuredDataIn(await textAt(`events/${id}`)))
  const { image, ...online } = await dataOf(drill)
  expect(online).toMatchObject({
    name: 'Open drill',
    startDate: '2026-03-10T19:00:00-04:00',
    endDate: '2026-03-10T21:00:00-04:00',
    eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
    location: { '@type': 'VirtualLocation', url: 'https://video.example/drill' },
  })
  expect((await fetch(image[0] ?? '')).headers.get('Content-Type')).toBe('image/png')
  expect(await dataOf(nowhere)).toMatchObject({
    location: { '@type': 'Place', name: sandbox.siteName, address: 'Cedar Hollow, NY' },
    description: 'Tuesday, March 10, 2026, 7:00 PM – 9:00 PM',
  })

  dataset = { ...sample, events: [...sample.events, { ...drill, startTime: '18:00:00' }, nowhere] }
  await clock.advance(hourMs)
  await waitFor(async () => {
    expect(await dataOf(drill)).toMatchObject({
      startDate: '2026-03-10T18:00:00-04:00',
      previousStartDate: ['2026-03-10T19:00:00-04:00'],
    })
  })
  const gone = await fetch(`${url}/events/${canceled.id}`)
  expect(gone.status).toBe(410)
  expect(structuredDataIn(await gone.text())).toBeUndefined()
})

test('leaves the place out if nothing is known about it', async () => {
  await using service = await startTestService({
    sandbox: { datasetOn: () => ({ ...sample, events: [nowhere] }) },
  })
  await fetch(`${service.url}/events.ics`)
  const page = await (await fetch(`${service.url}/events/${nowhere.id}`)).text()
  expect(structuredDataIn(page)).not.toHaveProperty('location')
})
