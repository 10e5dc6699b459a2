import { expect, test } from 'vitest'
import { openWebServerForFront } from '../../support/web-server.ts'
import { maxSearches } from '../../../src/representations/representations.ts'
import { startTestService } from '../../support/service.ts'

test('the front does not cache searches that are not kept', async () => {
  await using service = await startTestService({
    openServer: openWebServerForFront,
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
