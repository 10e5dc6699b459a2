import { expect, test } from 'vitest'
import { createDepartmentReader } from '../../../src/http/pages/department-feeds.ts'
import { createLogger } from '../../../src/log.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { startHttpServer } from '../../support/http-server.ts'

const ashton = {
  id: 'ashton',
  name: 'Ashton',
  place: undefined,
  publicUrl: 'https://ashton.example',
  websiteUrl: 'https://www.ashton.example',
}

test.for([
  { status: 403, isKept: false },
  { status: 404, isKept: false },
  { status: 410, isKept: false },
  { status: 429, isKept: true },
  { status: 503, isKept: true },
])('keeps the copy of a feed that responds with $status: $isKept', async ({ status, isKept }) => {
  const state = { status: 200 }
  const url = await startHttpServer((request, response) => {
    const { url: path = '' } = request
    const json = path === '/board.json' ? '[]' : '{"authors":[],"items":[]}'
    response.writeHead(state.status).end(path.includes('.json') ? json : 'the entries')
  })
  const clock = createFakeClock()
  let removals = 0
  const removed = () => void (removals += 1)
  const reader = createDepartmentReader(url, removed, clock, createLogger('silent'))
  reader.list([ashton])
  const calendar = async () => (await reader.departments())?.[0]?.published.calendar
  expect(await calendar()).toBe('the entries')
  state.status = status
  await clock.advance(31_000)
  expect(await calendar()).toBe(isKept ? 'the entries' : undefined)
  // The calendar, two kinds of news and the board's items.
  expect(removals).toBe(isKept ? 0 : 4)
})
