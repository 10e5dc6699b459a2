import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editLink, type LinkEdit } from '../../src/links/link-edits.ts'
import { storedLinks } from '../../src/links/stored-links.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { fewRecords } from '../support/few-records.ts'
import { openFrontedServer } from '../support/fronted-server.ts'
import { exchangeUrl } from '../support/raw-http.ts'
import { startTestService, temporaryDirectory } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

const edits: readonly LinkEdit[] = [
  { isPaused: true },
  { isPaused: false },
  { profile: 'members' },
  { profile: 'full' },
  { choice: { calendar: 'show=rental', news: '' } },
  { choice: undefined },
]

/**
 * Returns a reader like newsboat: it sends both validators, and drops a response with a date that is
 * not newer than its copy's, but remembers its ETag.
 */
function createReader(url: string) {
  let [text, etag, date] = ['', '', '']
  return {
    poll: async () => {
      const validators = { 'If-None-Match': etag, 'If-Modified-Since': date }
      const { status, headers, body } = await exchangeUrl(url, etag === '' ? {} : validators)
      if (status !== 200) return
      const { etag: newEtag = '', 'last-modified': newDate = '' } = headers
      const isDropped = Date.parse(newDate) <= Date.parse(date)
      if (!isDropped) text = body.toString()
      etag = newEtag
      date = newDate
    },
    text: () => text,
  }
}

test('a reader that drops what is not newer has all changes after any sequence of edits', async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, 'store.sqlite')
  await using service = await startTestService({
    sandbox: fewRecords,
    storeFileIn: () => file,
    openServer: openFrontedServer,
  })
  await service.readAll()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...edits), { minLength: 1, maxLength: 8 }),
      async (sequence) => {
        const label = randomBytes(4).toString('hex')
        const base = await service.addLink({ label, profile: 'full' })
        const urls = ['rental.ics', 'my.ics', 'my.rss', 'news.json'].map((name) => `${base}${name}`)
        const readers = urls.map(createReader)
        const pollAll = () => Promise.all(readers.map(({ poll }) => poll()))
        await pollAll()
        for (const edit of sequence) {
          // HTTP dates have no milliseconds, so two changes in a second look the same.
          await service.clock.advance(2_000)
          await using store = openSqliteStore(file, service.clock.now)
          const links = await storedLinks(store.documents)
          const { id = '' } = links.find((each) => each.label === label) ?? {}
          const change = { now: service.clock.now(), random: randomBytes }
          await editLink(store.documents, id, edit, change)
          await service.clock.advance(2_000)
          await waitFor(async () => {
            await pollAll()
            const shown = await Promise.all(urls.map((url) => exchangeUrl(url)))
            expect(readers.map(({ text }) => text())).toEqual(
              shown.map(({ body }) => body.toString()),
            )
          })
        }
      },
    ),
    { numRuns: 10 },
  )
})
