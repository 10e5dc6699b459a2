import { afterAll, describe, expect, test } from 'vitest'
import { feedUrlsUnder } from '../../support/feed-urls.ts'
import { exchangeUrl as ask } from '../../support/raw-http.ts'
import { startTestService } from '../../support/service.ts'

const unknown = 'Unknown feed link. Ask the person who gave it to you for a new one.\n'

const service = await startTestService({ publicFeedIds: ['events'] })
afterAll(() => service[Symbol.asyncDispose]())
const link = await service.addLink({ label: 'Crew' })

describe('an unknown link', () => {
  test('gets the same response no matter why it is unknown', async () => {
    const key = link.split('/')[4] ?? ''
    const others = [
      'a'.repeat(32),
      key.slice(1),
      `${key}a`,
      'a',
      '%ff',
      '%2e%2e',
      'x'.repeat(2000),
      '',
    ]
    const answers = await Promise.all(
      others.flatMap((other) =>
        ['', 'calendar.ics', 'x/y'].map((path) => ask(`${service.url}/l/${other}/${path}`)),
      ),
    )
    const seen = answers.map(({ status, head, body }) => ({
      status,
      head: head.filter((line) => !/^X-Request-Id|^Retry-After/.test(line)),
      text: body.toString(),
    }))
    const missing = seen.filter(({ status }) => status === 404)
    expect(missing.length).toBe(20)
    for (const answer of missing) expect(answer).toEqual({ ...missing[0], text: unknown })
    for (const { status } of seen) expect([404, 429]).toContain(status)
  })

  test('is rate-limited, which does not affect known links', async () => {
    await using other = await startTestService({ publicFeedIds: ['events'] })
    const known = await other.addLink({})
    const guess = (index: number) => ask(`${other.url}/l/${'b'.repeat(24)}${10_000_000 + index}/`)
    const statuses = []
    for (let index = 0; index < 22; index += 1) statuses.push((await guess(index)).status)
    expect(statuses).toEqual([...Array(20).fill(404), 429, 429])
    const refused = await guess(99)
    expect(refused.headers).toMatchObject({ 'retry-after': '10', 'cache-control': 'no-store' })
    for (const url of feedUrlsUnder(known)) expect((await ask(url)).status).toBe(200)
    await other.clock.advance(10_000)
    expect((await guess(100)).status).toBe(404)
    expect((await guess(101)).status).toBe(429)
    const lines = other.lines.filter((line) => line.includes('too many guesses'))
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join()).not.toContain('bbbb')
  })
})
