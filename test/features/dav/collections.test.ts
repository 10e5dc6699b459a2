import { afterAll, expect, test } from 'vitest'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { fewOn } from '../../support/few-records.ts'
import { advanceUntil } from '../../support/wait-for.ts'
import { startDavService, syncFrom } from './account.ts'

/** A member of the sample, who has signed up for one of these sheets. */
const memberId = 5
const sheetIds = [2026031, 2026051, 2934]
const titles = ['You: Griddle, Pancake breakfast crew', 'You: Hazmat Operations expires']

const resources = new AsyncDisposableStack()
afterAll(() => resources.disposeAsync())
const service = resources.use(
  await startDavService({
    sandbox: {
      datasetOn(today) {
        const { members, training, signup } = sampleDatasetOn(today)
        const sheets = signup.filter(({ id }) => sheetIds.includes(id))
        return { ...fewOn(today), members, training, signup: sheets }
      },
    },
  }),
)

const changedAt = (text: string) => /^LAST-MODIFIED:(\d+T\d+)/m.exec(text)?.[1] ?? ''

async function namesOf({ find, calendars }: Awaited<ReturnType<typeof service.addAccount>>) {
  const { responses } = await find(calendars, '1', 'D:displayname')
  return responses.slice(1).map(({ href, props }) => [href.slice(calendars.length), props])
}

test("a member's account also has a calendar of the member's own entries", async () => {
  const account = await service.addAccount({ memberId, feedIds: ['events', 'signup'] })
  const own = `${account.calendars}my/`
  const summaries = async () => {
    const { responses } = await account.send('REPORT', own, syncFrom('', 'C:calendar-data'))
    return responses
      .map(({ props }) => /^SUMMARY:(.*)\r$/m.exec(props)?.[1]?.replaceAll('\\', '') ?? '')
      .toSorted()
  }
  await advanceUntil(service.clock, async () => {
    expect(await summaries()).toEqual(titles)
  })
  expect(await namesOf(account)).toEqual([
    ['events/', 'Events'],
    ['signup/', 'Sign-ups'],
    ['my/', 'Personal'],
  ])
  const sent = await account.send('REPORT', own, syncFrom(''))
  await account.edit({ choice: { calendar: 'show=events', news: '' } })
  expect(await account.send('REPORT', own, syncFrom(sent.token))).toMatchObject({
    token: sent.token,
    responses: [],
  })
  const file = async () => (await account.send('GET', sent.responses[0]?.href ?? '')).text
  const before = await file()
  expect(before).not.toContain('TRIGGER:-PT360M')
  await account.edit({ choice: { calendar: 'show=events&alarm=60', news: '' } })
  const after = await file()
  expect(after).toContain('TRIGGER:-PT360M')
  expect(changedAt(after) > changedAt(before)).toBe(true)
  await account.edit({ isPaused: true })
  const paused = await account.send('REPORT', own, syncFrom(sent.token, 'C:calendar-data'))
  expect(paused.responses.map(({ status }) => status)).toEqual(['200', '404', '404'])
  expect(paused.responses[0]?.props).toContain('This feed link is paused')
  await account.edit({ isPaused: false, memberId: undefined })
  expect(await namesOf(account)).toHaveLength(2)
  expect(await account.send('REPORT', own, syncFrom(''))).toMatchObject({ responses: [] })
})

test('links without a member or without calendars have no such calendar', async () => {
  const forAll = await service.addAccount({ feedIds: ['events'] })
  expect(await namesOf(forAll)).toEqual([['events/', 'Events']])
  expect(await namesOf(await service.addAccount({ memberId, feedIds: ['news'] }))).toEqual([])
})

const fail = (): never => {
  throw new Error('out of order')
}

test('own entries that cannot be read do not take down other calendars', async () => {
  await using partial = await startDavService({
    sandbox: {
      datasetOn: (today) =>
        Object.defineProperties(
          { ...fewOn(today) },
          {
            members: { get: fail },
            training: { get: fail },
            signup: { get: fail },
          },
        ),
      report: () => {},
    },
  })
  const { calendars, find, send } = await partial.addAccount({ memberId, feedIds: ['events'] })
  const home = await find(calendars, '1', 'D:displayname', 'D:sync-token')
  expect(home.responses.map(({ href }) => href)).toEqual([calendars, `${calendars}events/`])
  expect((await send('REPORT', `${calendars}my/`, syncFrom(''))).status).toBe(503)
})
