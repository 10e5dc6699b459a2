import supertest from 'supertest'
import { expect, test } from 'vitest'
import { createHostedCounty } from '../../../src/features/county/county.ts'
import { markFromFront } from '../../../src/front/cache-fields.ts'
import { createRejections } from '../../../src/front/rejections.ts'
import { applicationOf } from '../../../src/http/application.ts'
import { createLogger } from '../../../src/log.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

function countyApplication() {
  const clock = createFakeClock()
  const log = createLogger('silent')
  const front = { expire: () => undefined, remove: () => undefined }
  const county = createHostedCounty(
    { countyName: 'Cedar County', sitesUrl: 'https://feeds.example', proxies: 0 },
    {
      server: { url: 'http://127.0.0.1:1', front, rejections: createRejections(clock, log) },
      clock,
      log,
    },
  )
  return applicationOf([
    (request, _response, next) => {
      markFromFront(request)
      next()
    },
    ...(county ? [county.handler] : []),
  ])
}

test('lets the front keep the county feed', async () => {
  const { headers } = await supertest(countyApplication()).get('/county.ics').expect(200)
  expect(headers['feedhouse-cache-control']).toMatch(/^max-age=30,/)
})

test.for(['/county', '/county.ics'])('redirects %s from a region to its language', async (path) => {
  const { headers } = await supertest(countyApplication()).get(`${path}?lang=fr-CA`).expect(301)
  expect(headers['location']).toBe(`${path}?lang=fr`)
})
