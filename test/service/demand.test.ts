import { expect, test } from 'vitest'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { minuteMs } from '../../src/clock.ts'
import { openFrontedServer } from '../support/fronted-server.ts'
import { startTestService } from '../support/service.ts'

/** Between two of these, the front still has a fresh response. */
const pollMinutes = 2

test('a website is read often while the front sends its feed from the cache', async () => {
  const website = { title: 'Old title' }
  await using service = await startTestService({
    publicFeedIds: ['events'],
    openServer: openFrontedServer,
    sandbox: {
      datasetOn: (today) => {
        const sample = sampleDatasetOn(today)
        const events = sample.events.map((event) => ({ ...event, title: website.title }))
        return { ...sample, events }
      },
    },
  })
  const textAfter = async (minutes: number) => {
    let text = ''
    for (let passed = 0; passed < minutes; passed += pollMinutes) {
      await service.clock.advance(pollMinutes * minuteMs)
      text = (await service.get('/events.rss')).text
    }
    return text
  }
  // Long enough for an unused collection to be read less often.
  expect(await textAfter(150)).toContain('Old title')
  website.title = 'New title'
  expect(await textAfter(12)).toContain('New title')
})
