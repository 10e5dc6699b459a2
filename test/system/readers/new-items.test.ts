import { expect, test } from 'vitest'
import { fewOn } from '../../support/few-records.ts'
import { startTestService, testDirectory } from '../../support/service.ts'
import { advanceUntil } from '../../support/wait-for.ts'
import { feedReaders, readerTimeoutMs } from './feed-readers.ts'

type Records = ReturnType<typeof fewOn>

const minuteMs = 60_000

/** Changes to the website, one after the other, with the title that appears. */
const edits: readonly (readonly [title: string, edit: (records: Records) => Records])[] = [
  ['Tanker sold', (records) => withStory(records, 90_001, 'Tanker sold', '2026-03-05')],
  ['Old photos', (records) => withStory(records, 90_002, 'Old photos', '2026-02-01')],
  ['Fish fry', (records) => withEvent(records, 90_003, 'Fish fry', '2026-03-20')],
  ['Blood drive', (records) => withEvent(records, 90_004, 'Blood drive', '2026-03-09')],
  [
    'Fish dinner',
    ({ events, ...records }) => ({
      ...records,
      events: events.map((each) => (each.id === 90_003 ? { ...each, title: 'Fish dinner' } : each)),
    }),
  ],
]

function withStory({ news, ...records }: Records, id: number, headline: string, date: string) {
  const added = news.slice(0, 1).map((each) => ({ ...each, id, headline, date, deployed: true }))
  return { ...records, news: [...news, ...added] } as Records
}

function withEvent({ events, ...records }: Records, id: number, title: string, day: string) {
  const created = '2026-02-01 09:00:00'
  const record = { id, title, status: 2, startDate: day, endDate: day, created } as const
  const added = events.slice(0, 1).map((each) => ({ ...each, ...record }))
  return { ...records, events: [...events, ...added] } as Records
}

for (const { name, isMissing, create } of feedReaders) {
  test.skipIf(isMissing)(
    `${name} gets every story and event, whatever its date`,
    { timeout: readerTimeoutMs },
    async () => {
      let done = 0
      await using service = await startTestService({
        publicFeedIds: ['events', 'news'],
        environment: { FRESH_SECONDS: '60' },
        sandbox: {
          datasetOn: (today) =>
            edits.slice(0, done).reduce((records, [, edit]) => edit(records), fewOn(today)),
        },
      })
      const { clock, get, url } = service
      await service.readAll()
      const paths = ['events', 'news']
      const readers = paths.map((path) => create(testDirectory(), `${url}/${path}.rss`))
      const pollAll = () => Promise.all(readers.map(({ poll }) => poll()))
      await pollAll()
      for (const [title] of edits) {
        done += 1
        await advanceUntil(clock, async () =>
          expect((await get('/all.json?limit=200')).text).toContain(title),
        )
        await clock.advance(minuteMs)
        await pollAll()
      }
      for (const [index, path] of paths.entries()) {
        const { items } = JSON.parse((await get(`/${path}.json`)).text)
        const links = items.map((item: { readonly url: string }) => item.url)
        expect(links.length).toBeGreaterThan(4)
        const kept = readers[index]?.items().map(({ link }) => link)
        expect(kept).toEqual(expect.arrayContaining(links))
      }
    },
  )
}
