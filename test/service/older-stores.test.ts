import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { entriesIn, instantFrom, type Entry } from '../soak/entries.ts'
import { startTestService, temporaryDirectory } from '../support/service.ts'
import { waitUntil } from '../support/wait-for.ts'

/*
 * Each file in `older-stores/` is a dump of the store of an earlier version, after it read a small website
 * twice. Its comments list what that version published: the UID, SEQUENCE and LAST-MODIFIED of each calendar
 * entry, the id of each story, and the paths of the feed links. To add one, dump the store of a service that
 * was started with `startTestService` at that version, without tokens. Never change a dump.
 */
const directory = join(import.meta.dirname, 'older-stores')

/** Returns the contents of the comments of a dump with this name. */
function listed(dump: string, name: string): readonly string[] {
  return [...dump.matchAll(new RegExp(`^-- ${name} (.+)$`, 'gm'))].map(
    ([, content = '']) => content,
  )
}

/** Returns the entries of a calendar by UID. */
const entriesById = (calendar: string): ReadonlyMap<string, Entry> =>
  new Map(entriesIn(calendar, '.ics').map((entry) => [entry.id, entry]))

/** Returns true if the entry is there, and neither SEQUENCE nor LAST-MODIFIED has decreased. */
function isContained(listedEntry: string, entries: ReadonlyMap<string, Entry>): boolean {
  const [uid = '', sequence, lastModified = ''] = listedEntry.split(' ')
  const now = entries.get(uid)
  if (!now) return false
  return now.sequence >= Number(sequence) && now.modifiedAt >= instantFrom(lastModified)
}

/** Starts the current code on the store, while the website refuses all calls. */
async function startOn(dump: string) {
  const resources = new AsyncDisposableStack()
  const file = join(resources.use(temporaryDirectory()).path, 'store.sqlite')
  const database = new DatabaseSync(file)
  database.exec(dump)
  database.close()
  const service = resources.use(
    await startTestService({ sandbox: { apiEnabled: false }, storeFileIn: () => file }),
  )
  await waitUntil(async () => (await fetch(`${service.url}/calendar.ics`)).ok)
  return {
    text: async (path: string) => (await fetch(`${service.url}${path}`)).text(),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

test.for(readdirSync(directory))(
  'serves the feeds and links in %s with their ids and revisions',
  async (name) => {
    const dump = readFileSync(join(directory, name), 'utf8')
    await using service = await startOn(dump)
    const stories = await service.text('/news.atom')
    for (const id of listed(dump, 'news')) expect(stories).toContain(`<id>${id}</id>`)
    for (const feed of ['calendar', 'events']) {
      const entries = listed(dump, feed)
      expect(entries.length).toBeGreaterThan(3)
      const now = entriesById(await service.text(`/${feed}.ics`))
      expect(entries.filter((entry) => !isContained(entry, now))).toEqual([])
    }
    for (const path of listed(dump, 'link')) {
      const uids = [...entriesById(await service.text(`${path}calendar.ics`)).keys()]
      const expected = listed(dump, 'calendar').map((entry) => entry.split(' ')[0])
      expect(uids).toEqual(expect.arrayContaining(expected))
    }
  },
)
