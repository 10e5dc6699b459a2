import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { editLink, type LinkEdit } from '../../../src/links/link-edits.ts'
import { storedLinks } from '../../../src/links/stored-links.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { fewOn } from '../../support/few-records.ts'
import { startTestService, testDirectory } from '../../support/service.ts'
import { advanceUntil } from '../../support/wait-for.ts'
import { feedReaders, readerTimeoutMs } from './feed-readers.ts'

/** Starts a service with a link to the announcements, and a website that can get another news story. */
async function startLink() {
  const website = { hasStory: false }
  const file = join(testDirectory(), 'store.sqlite')
  const service = await startTestService({
    publicFeedIds: ['announcements', 'events', 'news'],
    storeFileIn: () => file,
    sandbox: {
      datasetOn(today) {
        const sample = fewOn(today)
        const [first] = sample.news
        if (!first || !website.hasStory) return sample
        const story = { ...first, id: 90_000, headline: 'New engine', date: '2026-03-05' }
        return { ...sample, news: [...sample.news, story] }
      },
    },
  })
  const { clock } = service
  await service.readAll()
  const url = `${await service.addLink({ feedIds: ['announcements'] })}my`
  const edit = async (changes: LinkEdit) => {
    // HTTP dates have no milliseconds.
    await clock.advance(1_000)
    await using store = openSqliteStore(file, clock.now)
    const [link] = await storedLinks(store.documents)
    const change = { now: clock.now(), random: randomBytes }
    expect(await editLink(store.documents, link?.id ?? '', changes, change)).toMatchObject({
      ok: true,
    })
    // Every process reads the links within two seconds.
    await clock.advance(2_000)
  }
  const items = async (): Promise<readonly { readonly title: string; readonly url: string }[]> =>
    JSON.parse((await service.get(`${url}.json`)).text).items
  return { service, website, url, edit, items }
}

for (const { name, isMissing, create } of feedReaders) {
  test.skipIf(isMissing)(
    `${name} has everything after its link is edited, paused and resumed`,
    { timeout: readerTimeoutMs },
    async () => {
      const { service, website, url, edit, items } = await startLink()
      await using _ = service
      const reader = create(testDirectory(), `${url}.rss`)

      /** Polls once, and expects the reader to have all items of the feed. */
      async function pollAll(): Promise<void> {
        const current = (await items()).map((each) => ({
          title: each.title,
          link: new URL(each.url).href,
        }))
        await reader.poll()
        expect(current.length).toBeGreaterThan(0)
        expect(reader.items()).toEqual(expect.arrayContaining(current))
      }

      // newsboat stores the Last-Modified of a feed only when it reads the feed for the second time.
      await pollAll()
      await pollAll()
      await edit({ feedIds: ['announcements', 'news'] })
      await pollAll()
      await pollAll()
      await edit({ isPaused: true })
      await pollAll()
      website.hasStory = true
      await edit({ isPaused: false, feedIds: ['announcements', 'news', 'events'] })
      await pollAll()
      await advanceUntil(service.clock, async () =>
        expect(JSON.stringify(await items())).toContain('New engine'),
      )
      await pollAll()
    },
  )
}
