import { expect, test } from 'vitest'
import { serverOf } from '../support/http-server.ts'
import { createSubscriber } from './subscriber.ts'
import { createViolations } from './violations.ts'

const now = Date.parse('2026-10-05T12:00:00Z')
const [earlier, later] = ['Mon, 05 Oct 2026 10:00:00 GMT', 'Mon, 05 Oct 2026 11:00:00 GMT']

type Version = {
  readonly status?: number
  /** Empty if there is none. */
  readonly date?: string
  readonly entries: string
}

const entry = ({ id = 'a', sequence = 5, at = '20261005T100000Z', title = 'Drill' } = {}) =>
  `BEGIN:VEVENT\r\nUID:${id}\r\nSEQUENCE:${sequence}\r\nLAST-MODIFIED:${at}\r\nSUMMARY:${title}\r\nEND:VEVENT\r\n`

const two = entry() + entry({ id: 'b' })

/** Polls all versions of a calendar. Returns the violations. */
async function pollAll(versions: readonly Version[]) {
  let served = 0
  const { url } = await serverOf((_request, response) => {
    const { status = 200, date = earlier, entries } = versions[served++] ?? { entries: '' }
    if (date !== '') response.setHeader('Last-Modified', date)
    response.writeHead(status, { ETag: `"${served}"` }).end(entries)
  })
  const violations = createViolations(
    () => undefined,
    () => now,
  )
  const truth = {
    serviceNow: () => now,
    events: () => [],
    canAgree: () => true,
    mustShow: () => true,
  }
  const { poll } = createSubscriber('service', { violations, truth })
  for (const _version of versions) await poll(`${url}/calendar.ics`)
  return violations.all().map(({ entry: id, sentence }) => `${id}: ${sentence}`)
}

test('accepts a newer revision', async () => {
  const newer = entry({ sequence: 6, at: '20261005T110000Z' }) + entry({ id: 'b' })
  expect(await pollAll([{ entries: two }, { date: later, entries: newer }])).toEqual([])
})

test('remembers the latest date while there is none', async () => {
  const versions = [later, '', earlier].map((date) => ({ date, entries: two }))
  expect(await pollAll(versions)).toEqual([expect.stringContaining('Last-Modified went from')])
})

test.for([
  { name: 'an empty calendar', next: { entries: '' }, sentence: 'is empty' },
  {
    name: 'too few entries',
    first: two + entry({ id: 'c' }),
    next: { entries: entry() },
    sentence: 'has 1 of 3 entries',
  },
  { name: 'an error', next: { status: 429, entries: '' }, sentence: 'got status 429' },
  {
    name: 'an older SEQUENCE',
    next: { entries: entry({ sequence: 4 }) + entry({ id: 'b' }) },
    sentence: 'a: “Drill” went from 5',
  },
  {
    name: 'an older LAST-MODIFIED',
    next: { entries: entry({ at: '20261005T095959Z' }) + entry({ id: 'b' }) },
    sentence: 'a: “Drill” went from 5',
  },
  {
    name: 'the same id twice',
    next: { entries: two + two },
    sentence: 'two entries with the same id',
  },
  {
    name: 'an older Last-Modified',
    next: { date: 'Mon, 05 Oct 2026 09:00:00 GMT', entries: two },
    sentence: 'Last-Modified went from',
  },
  {
    name: 'a Last-Modified in the future',
    next: { date: 'Mon, 05 Oct 2026 12:00:01 GMT', entries: two },
    sentence: 'Last-Modified is in the future',
  },
])('reports $name', async ({ first = two, next, sentence }) => {
  const [found, ...others] = await pollAll([{ entries: first }, next])
  expect(found).toContain(sentence)
  expect(others).toEqual([])
})
