import { expect, test } from 'vitest'
import { openWebServer } from '../../support/web-server.ts'
import { markFromFront } from '../../../src/front/cache-fields.ts'
import { maxSearches } from '../../../src/representations/representations.ts'
import { startTestService } from '../../support/service.ts'

test('the front does not cache searches that are not kept', async () => {
  await using service = await startTestService({
    async openServer(...options) {
      const server = await openWebServer(...options)
      return {
        ...server,
        answer: (listener) =>
          server.answer((request, response) => {
            markFromFront(request)
            listener(request, response)
          }),
      }
    },
  })
  await service.readAll()
  const isCached: boolean[] = []
  for (let number = 0; number <= maxSearches; number += 1) {
    // A client may request a new feed every two seconds.
    await service.clock.advance(2_000)
    const { status, headers } = await fetch(`${service.url}/events.ics?q=word${number}`)
    expect(status).toBe(200)
    isCached.push(headers.has('feedhouse-cache-control'))
  }
  expect(isCached.indexOf(false)).toBe(maxSearches)
})
