import { expect, test } from 'vitest'
import { fewOn } from '../../support/few-records.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { startTestService, testDirectory } from '../../support/service.ts'
import { advanceUntil } from '../../support/wait-for.ts'
import { feedReaders, readerTimeoutMs } from './feed-readers.ts'

const minuteMs = 60_000
const edits = 20

/** Day in March 2026 and station of an event. Undefined while the website does not show it. */
type Plan = { readonly day: number; readonly station: number } | undefined

type ChangeItem = { readonly url: string; readonly title: string; readonly date_published: string }

/** Starts a service whose website has four drills that a test can move. */
async function startDrills() {
  const website: { plans: readonly Plan[] } = {
    plans: [10, 12, 14, 16].map((day) => ({ day, station: 1 })),
  }
  const service = await startTestService({
    environment: { FRESH_SECONDS: '60' },
    publicFeedIds: ['events'],
    sandbox: {
      datasetOn(today) {
        const sample = fewOn(today)
        const drills = website.plans.flatMap((plan, index) =>
          plan ? [{ ...sample.events[0], ...drillOf(plan, index) }] : [],
        )
        return { ...sample, events: [...sample.events, ...drills] as typeof sample.events }
      },
    },
  })
  const { clock, get } = service
  const shown = async (): Promise<readonly Plan[]> => {
    const { items } = JSON.parse((await get('/events.json?limit=200')).text)
    return website.plans.map((_plan, index) => {
      const found = items.find((each: ChangeItem) => each.title.includes(`Drill ${index}`))
      if (!found) return undefined
      const { start, place } = found['_event']
      return { day: Number(start.slice(8, 10)), station: Number(place.slice(-1)) }
    })
  }
  return {
    service,
    website,
    /** Changes the drills on the website, and waits until the service has read them. */
    edit: async (plans: readonly Plan[]) => {
      website.plans = plans
      await advanceUntil(clock, async () => expect(await shown()).toEqual(plans), 15_000)
    },
    changes: async (): Promise<readonly ChangeItem[]> =>
      JSON.parse((await get('/changes.json?limit=200')).text).items,
  }
}

function drillOf({ day, station }: NonNullable<Plan>, index: number) {
  const date = `2026-03-${day}`
  return {
    id: 90_000 + index,
    title: `Drill ${index}`,
    status: 2,
    location: `Station ${station}`,
    startDate: date,
    endDate: date,
    startTime: '19:00:00',
    endTime: '21:00:00',
    created: '2026-03-01 09:00:00',
  }
}

/** Returns plans that differ from these in one drill. Some go back to a plan before. */
function nextPlans(plans: readonly Plan[], before: readonly Plan[], random: () => number) {
  const below = (count: number) => Math.floor(random() * count)
  const index = below(plans.length)
  const plan = plans[index]
  const options: readonly Plan[] = [
    undefined,
    before[index],
    { day: 10 + below(9), station: plan?.station ?? 1 },
    { day: plan?.day ?? 12, station: 1 + below(3) },
  ]
  return plans.with(index, options[below(options.length)])
}

/** Returns what somebody believes who reads these titles in order. */
function believedFrom(plans: readonly Plan[], titles: readonly string[]): readonly Plan[] {
  return titles.reduce((believed, title) => {
    const [, index] = /Drill (\d)/.exec(title) ?? []
    if (index === undefined) return believed
    const before = believed[Number(index)]
    const day = Number(/Mar (\d+)/.exec(title)?.[1] ?? before?.day)
    const station = Number(/Station (\d)/.exec(title)?.[1] ?? before?.station)
    const plan = title.startsWith('Canceled') ? undefined : { day, station }
    return believed.with(Number(index), plan)
  }, plans)
}

for (const { name, isMissing, create } of feedReaders) {
  test.skipIf(isMissing)(
    `${name} has every change once, and shows nothing untrue, after moves and reversals`,
    { timeout: readerTimeoutMs },
    async () => {
      const { service, website, edit, changes } = await startDrills()
      await using _ = service
      const random = seededRandom(7)
      const { poll, items } = create(testDirectory(), `${service.url}/changes.rss`)
      const first = website.plans
      let before = first
      await edit(first)
      await poll()
      for (let count = 0; count < edits; count += 1) {
        const next = nextPlans(website.plans, before, random)
        before = website.plans
        await edit(next)
        await service.clock.advance((1 + Math.floor(random() * 12)) * minuteMs)
        if (random() < 0.6) await poll()
      }
      await service.clock.advance(10 * minuteMs)
      await poll()

      const current = await changes()
      const kept = items()
      expect(kept).toEqual(
        expect.arrayContaining(current.map(({ url, title }) => ({ title, link: url }))),
      )
      expect(new Set(kept.map(({ link }) => link)).size).toBe(kept.length)
      const titles = new Map(current.map(({ url, title }) => [url, title]))
      const outdated = kept.filter(({ link, title }) => titles.get(link) !== title)
      // Once a drill is canceled, its earlier changes are no longer in the feed.
      const shown = website.plans.flatMap((plan, index) => (plan ? [`Drill ${index}`] : []))
      expect(outdated.filter(({ title }) => shown.some((each) => title.includes(each)))).toEqual([])
      const inOrder = current.map(({ title }) => title).toReversed()
      expect(believedFrom(first, inOrder)).toEqual(website.plans)
    },
  )
}
