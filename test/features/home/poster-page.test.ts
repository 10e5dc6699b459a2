import { expect, test } from 'vitest'
import { startTestService } from '../../support/service.ts'

test('invites to follow the public feeds only', async () => {
  await using service = await startTestService({ publicFeedIds: ['events', 'news'] })
  await service.readAll()
  const { status, text } = await service.get('poster')
  expect(status).toBe(200)
  expect(text).toContain('Follow us in your calendar')
  expect(text).toContain('<nav class="tabs screen"')
  expect(text).toContain('<span>Events</span> · <span>News</span></p>')
  const link = await service.addLink({})
  expect((await fetch(`${link}poster`)).status).toBe(404)
})

test('names the feed reader if no calendar is public, and is missing if nothing is public', async () => {
  await using news = await startTestService({ publicFeedIds: ['news'] })
  await news.readAll()
  expect((await news.get('poster')).text).toContain('Follow us in your feed reader')
  await using none = await startTestService({ publicFeedIds: [] })
  expect((await none.get('poster')).status).toBe(404)
})
