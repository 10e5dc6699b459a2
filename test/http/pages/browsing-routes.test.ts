import { expect, test } from 'vitest'
import { startTestService } from '../../support/service.ts'

test('invites to follow the public feeds only', async () => {
  await using service = await startTestService({ publicFeedIds: ['events', 'news'] })
  await service.readAll()
  const response = await fetch(`${service.url}/poster`)
  expect(response.status).toBe(200)
  const text = await response.text()
  expect(text).toContain('Follow us in your calendar')
  expect(text).toContain('<nav class="tabs screen"')
  expect(text).toContain('<span>Events</span> · <span>News</span></p>')
  const link = await service.addLink({})
  expect((await fetch(`${link}poster`)).status).toBe(404)
})

test('names the feed reader if no calendar is public', async () => {
  await using service = await startTestService({ publicFeedIds: ['news'] })
  await service.readAll()
  const text = await (await fetch(`${service.url}/poster`)).text()
  expect(text).toContain('Follow us in your feed reader')
})

test('is missing if nothing is public', async () => {
  await using service = await startTestService({ publicFeedIds: [] })
  expect((await fetch(`${service.url}/poster`)).status).toBe(404)
})
