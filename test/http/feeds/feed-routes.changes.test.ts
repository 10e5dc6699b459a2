import { parseJsonFeed } from 'feedsmith'
import { expect, test } from 'vitest'
import type { Dataset } from '../../../src/sandbox/resources/resources.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { startTestService } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'

const hourMs = 60 * 60 * 1000
const sample = sampleDatasetOn('2026-03-05')

const isNext = ({ startDate }: { readonly startDate: string }) =>
  startDate > '2026-03-05' && startDate < '2026-03-20'

/** Returns the dataset, with a new place for each of a resource's entries in the next few days. */
function withPlace(dataset: Dataset, resource: 'events' | 'calendar', location: string): Dataset {
  const records = dataset[resource].map((each) => (isNext(each) ? { ...each, location } : each))
  return { ...dataset, [resource]: records }
}

async function textsAt(url: string): Promise<string> {
  const response = await fetch(url)
  expect(response.status).toBe(200)
  return (parseJsonFeed(await response.json()).items ?? []).map(({ title }) => title).join('\n')
}

test('shows everyone the changes in public calendars, and a link’s readers the changes in its calendars', async () => {
  let dataset: Dataset = sample
  await using service = await startTestService({
    publicFeedIds: ['events', 'news'],
    sandbox: { datasetOn: () => dataset },
  })
  const { url, clock } = service
  const crew = await service.addLink({ feedIds: ['calendar', 'news'] })
  expect([await textsAt(`${url}/changes.json`), await textsAt(`${crew}changes.json`)]).toEqual([
    '',
    '',
  ])
  dataset = withPlace(withPlace(sample, 'events', 'Riverside Park'), 'calendar', 'Back lot')
  await clock.advance(hourMs)
  await waitFor(async () => {
    const [everyone, members] = [
      await textsAt(`${url}/changes.json`),
      await textsAt(`${crew}changes.json`),
    ]
    expect(everyone).toMatch(/^New place: .*, now Riverside Park/m)
    expect(everyone).not.toContain('Back lot')
    expect(members).toMatch(/^New place: .*, now Back lot/m)
    expect(members).not.toContain('Riverside Park')
  })
  const response = await fetch(`${crew}changes.rss`)
  expect(response.headers.get('cache-control')).toContain('private')
  expect((await fetch(`${url}/changes.atom`)).headers.get('cache-control')).toContain('public')
})
