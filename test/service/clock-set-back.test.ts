import { expect, test } from 'vitest'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { openFrontedServer } from '../support/fronted-server.ts'
import { startTestService, testDirectory } from '../support/service.ts'
import { waitUntil } from '../support/wait-for.ts'
import { openWebServer } from '../support/web-server.ts'

const minuteMs = 60_000
const path = '/events.ics'

/** Starts a service that shares its data directory with earlier ones. Its clock starts like theirs. */
async function createStation() {
  const dataDirectory = testDirectory()
  const state = { title: 'Drill' }
  const datasetOn: typeof sampleDatasetOn = (today) => {
    const dataset = sampleDatasetOn(today)
    const [first, ...others] = dataset.events
    return { ...dataset, events: first ? [{ ...first, title: state.title }, ...others] : [] }
  }
  return {
    start: (openServer: typeof openWebServer) =>
      startTestService({
        publicFeedIds: ['events'],
        dataDirectory,
        sandbox: { datasetOn },
        openServer,
      }),
    edit: (title: string) => {
      state.title = title
    },
  }
}

test.for([
  { name: 'with the front', openServer: openFrontedServer },
  { name: 'without the front', openServer: openWebServer },
])(
  'a reader that knows only dates gets changes after the clock was set back, $name',
  async ({ openServer }) => {
    const { start, edit } = await createStation()
    await using ahead = await start(openServer)
    expect((await ahead.get(path)).text).toContain('SUMMARY:Drill')
    await ahead.clock.advance(50 * minuteMs)
    edit('Changed while the clock was ahead')
    await ahead.clock.advance(10 * minuteMs)
    await waitUntil(async () => (await ahead.get(path)).text.includes('while the clock was ahead'))
    const copy = await ahead.get(path)
    const date = copy.headers.get('Last-Modified') ?? ''
    await ahead[Symbol.asyncDispose]()

    await using service = await start(openServer)
    const { clock, get } = service
    const poll = () => get(path, { 'If-Modified-Since': date })
    expect(Date.parse(date)).toBeGreaterThan(clock.now() + 50 * minuteMs)
    edit('Changed later')
    await clock.advance(10 * minuteMs)
    await waitUntil(async () => (await get(path)).text.includes('Changed later'))
    expect((await poll()).headers.get('Last-Modified')).toBeNull()
    await clock.advance(Date.parse(date) + 2_000 - clock.now())
    const late = await poll()
    expect(late.text).toContain('Changed later')
    const lateDate = late.headers.get('Last-Modified') ?? ''
    expect(Date.parse(lateDate)).toBeGreaterThan(Date.parse(date))
    expect((await get(path, { 'If-Modified-Since': lateDate })).status).toBe(304)
  },
)
