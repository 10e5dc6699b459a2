import { expect, test } from 'vitest'
import { followSettings, servedSettings } from '../../src/app/served-settings.ts'
import { readConfig } from '../../src/config/config.ts'
import { settingsDocument, uploadedLogo } from '../../src/config/stored-settings.ts'
import { createLogger } from '../../src/log.ts'
import { logoDocument } from '../../src/site/settings-store.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'
import { advanceUntil } from '../support/wait-for.ts'

const { site, ...others } = readConfig({
  SITE_URL: 'https://a.example',
  SITE_REFRESH_TOKEN: 'token',
  SITE_TIME_ZONE: 'America/New_York',
  PUBLIC_FEEDS: 'events,news',
})
if (!site) throw new TypeError('no site')
const config = { ...others, site }

/** Starts work that follows the settings in a store. */
function startFollowing() {
  const clock = createFakeClock()
  const store = openTestStore(clock.now)
  const lost: string[] = []
  const known = { ...store, lost: () => lost }
  const save = (value: object) =>
    store.documents.write([{ ...settingsDocument, value: JSON.stringify(value) }])
  const used: (readonly string[])[] = []
  const stopping = new AbortController()
  async function follow(): Promise<void> {
    const read = () => servedSettings(config, known)
    const options = { store: known, read, clock, log: createLogger('silent') }
    const first = await read()
    await followSettings(
      first,
      { ...options, signal: stopping.signal },
      async (settings, signal) => {
        used.push(settings.config.publicFeeds)
        await clock.sleep(Infinity, signal).catch(() => undefined)
      },
    )
  }
  const until = (check: () => void) => advanceUntil(clock, check, 1_000)
  return { store, lost, save, used, follow, until, clock, stop: () => stopping.abort() }
}

test('runs again with changed settings, and not when the store has lost them', async () => {
  const { clock, lost, save, used, follow, until, stop } = startFollowing()
  const following = follow()
  await until(() => expect(used).toEqual([['events', 'news']]))
  await save({ publicFeeds: ['events'] })
  await until(() => expect(used).toEqual([['events', 'news'], ['events']]))
  lost.push(settingsDocument.bucket)
  await save({})
  await clock.advance(10_000)
  expect(used).toHaveLength(2)
  lost.pop()
  await save({ publicFeeds: [] })
  await until(() => expect(used.at(-1)).toEqual([]))
  stop()
  await following
})

test('uses all saved settings, and the content of an uploaded logo', async () => {
  const { store, save } = startFollowing()
  await save({ name: 'Cedar Hollow', publicFeeds: ['news'], logo: `${uploadedLogo}abc` })
  await store.documents.write([{ ...logoDocument, value: 'QUJD' }])
  const served = await servedSettings(config, store)
  expect(served.config.site).toMatchObject({
    name: 'Cedar Hollow',
    identity: { logo: 'data:image/png;base64,QUJD' },
  })
  expect([served.config.publicFeeds, served.unknown]).toEqual([['news'], undefined])
})
