import { afterAll, expect, test } from 'vitest'
import { members } from '../../src/feeds/catalog/members.ts'
import { startDavService, syncFrom } from '../features/dav/account.ts'
import { waitUntil } from '../support/wait-for.ts'
import {
  documentedMarks,
  markedCatalog,
  markedDatabase,
  markedDataset,
  marksIn,
  memberMarks,
} from './marked-website.ts'

/* Compares everything that an account of a calendar app can read with the tables in docs/feeds.md. */

const { feeds } = markedCatalog
const calendars = feeds.filter(({ formats }) => formats.includes('ics'))
const allIds = [...feeds, members].map(({ id }) => id)
const dataset = markedDataset()

const resources = new AsyncDisposableStack()
afterAll(() => resources.disposeAsync())
const service = resources.use(
  await startDavService({ sandbox: { datasetOn: () => dataset }, databases: [markedDatabase] }),
)

type Account = Awaited<ReturnType<typeof service.addAccount>>

/** Reads everything in an account, once the website has been read. Returns the texts of each home. */
async function textsIn({ id, find, send }: Account) {
  const readBelow = async (home: string): Promise<string> => {
    const listed = await find(home, '1')
    const texts = [listed.text]
    for (const { href } of listed.responses.slice(1)) {
      const all = await find(href, '1')
      const sync = await send('REPORT', href, syncFrom('', 'C:calendar-data', 'A:address-data'))
      const [, first] = all.responses
      const file = first ? await send('GET', first.href) : undefined
      texts.push(all.text, sync.text, file?.text ?? '')
    }
    return texts.join('\n')
  }
  const around = await Promise.all(['/dav/', `/dav/${id}/`].map((path) => find(path, '1')))
  return {
    around: around.map(({ text }) => text).join('\n'),
    calendars: await readBelow(`/dav/${id}/calendars/`),
    contacts: await readBelow(`/dav/${id}/contacts/`),
  }
}

test.for([
  ['members', allIds],
  ['full', allIds],
  ['full', undefined],
] as const)('shows only the documented fields to %s with the feeds %j', async ([profile, ids]) => {
  const hasMembers = profile === 'full' && ids !== undefined
  const account = await service.addAccount({ profile, feedIds: ids && [...ids] })
  await waitUntil(async () => {
    await service.clock.advance(5_000)
    const { text } = await account.find(account.calendars, '1', 'D:displayname')
    const contacts = await account.find(`/dav/${account.id}/contacts/members/`, '1')
    return text.includes('/signup/') && (!hasMembers || contacts.responses.length > 1)
  })
  const texts = await textsIn(account)
  const shown = calendars.filter(({ id, isNamedOnly }) => (ids ? ids.includes(id) : !isNamedOnly))
  const allowed = documentedMarks(shown, profile)
  const found = marksIn(texts.calendars)
  expect([...found].filter((mark) => !allowed.includes(mark))).toEqual([])
  expect(found.size).toBeGreaterThan(10)
  const contacts = marksIn(texts.contacts)
  const own = hasMembers ? memberMarks() : []
  expect([...contacts].filter((mark) => !own.includes(mark))).toEqual([])
  expect(contacts.size > 10).toBe(hasMembers)
  expect([...marksIn(texts.around)]).toEqual([])
})
