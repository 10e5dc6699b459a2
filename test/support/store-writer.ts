import { openStore } from '../../src/store/open-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'

/*
 * Writes related documents and events until it is killed, and reports its progress on standard output.
 * Arguments: a store's file, or the URL of a Redis server and the name of a site.
 */
const [place = '', site] = process.argv.slice(2)
const store =
  site === undefined
    ? openSqliteStore(place, Date.now)
    : await openStore({
        directory: '.',
        redisUrl: place,
        siteUrl: `https://${site}`,
        now: Date.now,
      })
const first = Number((await store.documents.get('states', 'news'))?.value ?? 0)
for (let version = first + 1; ; version += 1) {
  const value = String(version)
  await store.documents.write(
    [
      { bucket: 'states', id: 'news', value },
      { bucket: 'items', id: 'news', value: `${value} `.repeat(20_000) },
      { bucket: 'ledgers', id: 'news', value: `${value} `.repeat(2_000) },
    ],
    { bucket: 'states', id: 'news', revision: version - 1 },
  )
  await store.windows.take('calls', [{ windowMs: 3_600_000, max: 1_000_000 }])
  // Waits for the output to be written, because a process that is killed loses its queued output.
  await new Promise((resolve) => process.stdout.write(`${version}\n`, resolve))
}
