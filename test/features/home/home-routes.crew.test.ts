import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Dataset } from '../../../src/sandbox/resources/resources.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { fewOn } from '../../support/few-records.ts'
import { createManager } from '../../support/manager.ts'
import { startTestService } from '../../support/service.ts'
import { advanceUntil } from '../../support/wait-for.ts'

const reyes = 5

/** Upcoming sheets of the sample. The member has signed up on the second one. */
const sheetIds = [2026031, 2026051]

const sample = sampleDatasetOn('2026-03-05')
const night = {
  ...sample.calendar[0],
  id: 77,
  title: 'Night standby: Crew D',
  location: '',
  allDay: 0,
  startDate: '2026-03-05',
  startTime: '22:00:00',
  endDate: '2026-03-06',
  endTime: '06:00:00',
} as Dataset['calendar'][number]

const service = await startTestService({
  publicFeedIds: ['events', 'signup', 'calendar'],
  sandbox: {
    datasetOn: (today) => ({
      ...fewOn(today),
      members: sample.members,
      signup: sample.signup.filter(({ id }) => sheetIds.includes(id)),
      calendar: [night],
    }),
  },
})
afterAll(() => service[Symbol.asyncDispose]())
const member = await service.addLink({ memberId: reyes })
const crew = await service.addLink({})
const textAt = async (url: string) => (await service.get(url)).text

beforeAll(() =>
  advanceUntil(service.clock, async () => {
    await service.readAll()
    const pages = [await textAt(member), await textAt(crew)].join()
    if (!/You: Griddle[^]*places open/.test(pages)) throw new Error('sheets have not been read')
  }),
)

/** Returns the sheets listed under "Can you help?". */
function sheetsIn(page: string): readonly (string | undefined)[] {
  const [, section = ''] = /Can you help\?<\/h2>([^]*?)<\/section>/.exec(page) ?? []
  return [...section.matchAll(/href="signup\/(\d+)".*?(\d+ of \d+ places open)/g)].map(
    ([, id, places]) => `${id}: ${places}`,
  )
}

test('asks for help where places are open, but not on the member’s own sheets', async () => {
  const forCrew = sheetsIn(await textAt(crew))
  expect(forCrew).toEqual(sheetIds.map((id) => expect.stringMatching(`^${id}: [1-9]`)))
  expect(sheetsIn(await textAt(member))).toEqual(forCrew.slice(0, 1))
})

test('shows on links who is on duty tonight', async () => {
  const expected = /On duty tonight<\/small><strong[^>]*>Night standby: Crew D</
  expect(await textAt(crew)).toMatch(expected)
  const page = await textAt(`${service.url}/`)
  expect(page).not.toContain('On duty tonight')
  expect(page).not.toContain('Can you help?')
})

test('keeps only the member’s own entries with one button, without scripts', async () => {
  const isPressed = async () =>
    /form="only-mine" aria-pressed="(\w+)"/.exec(await textAt(member))?.[1]
  expect(await isPressed()).toBe('false')
  const press = async () => {
    const [, fields = ''] =
      /<form id="only-mine"[^>]*>(.*?)<\/form>/.exec(await textAt(member)) ?? []
    const values = Array.from(fields.matchAll(/name="show" value="([^"]*)"/g), ([, value]) => value)
    const body = new URLSearchParams()
    for (const value of values) body.append('show', value ?? '')
    const headers = { origin: service.url }
    const options = { method: 'POST', headers, redirect: 'manual' } as const
    const { status } = await fetch(member, { ...options, body })
    return [status, await isPressed()]
  }
  expect(await press()).toEqual([303, 'true'])
  expect(await press()).toEqual([303, 'false'])
  expect(await textAt(crew)).not.toContain('only-mine')
})

test('says that a member has no shifts if the API Project is not allowed to read them', async () => {
  await using closed = await startTestService({
    publicFeedIds: ['events'],
    prepare: async (sandbox) =>
      (await createManager(sandbox)).setProject(1, { endpoints: ['events'] }),
  })
  const link = await closed.addLink({ memberId: reyes })
  await advanceUntil(closed.clock, async () => {
    await closed.get(`${link}my.ics`)
    const { text } = await closed.get(link)
    if (!text.includes('href="events/')) throw new Error('events have not been read')
    expect(text).not.toContain('The calendar is being loaded.')
  })
})
