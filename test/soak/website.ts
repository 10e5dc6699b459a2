import { join } from 'node:path'
import { createSandbox, sandboxDefaults } from '../../src/sandbox/sandbox.ts'
import type { PublicEvent } from '../../src/sandbox/resources/events.ts'
import type { Dataset } from '../../src/sandbox/resources/resources.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { plusDays, siteDateTime } from '../../src/sandbox/site-dates.ts'
import { openState } from '../../src/sandbox/state/state.ts'

/** Ids of the events that the run creates, above those of the sample. */
const firstId = 900_000_000

/** Error codes that mean that Feedhouse has used the website too much. */
const forbiddenCodes = ['rate_limited', 'too_many_failures']

/** An event that the run creates and edits, so that it knows what subscribers must see. */
export type EditedEvent = {
  readonly number: number
  readonly event: PublicEvent
  /** When the latest edit was made, in milliseconds since the epoch. */
  readonly editedAt: number
  readonly edits: number
  readonly isRemoved: boolean
}

/** Fault of the website that is not visible in the network. */
export type WebsiteFault = 'server error' | 'missing records'

/** Starts a sandbox whose webmaster adds, edits and removes events. */
export async function createWebsite(options: {
  readonly directory: string
  readonly now: () => number
  readonly random: () => number
  readonly callsPerDay: number
}) {
  const { directory, now, random, callsPerDay } = options
  const edited = new Map<number, EditedEvent>()
  let fault: WebsiteFault | undefined
  const timeZone = sandboxDefaults.timeZone
  const siteNow = () => siteDateTime(now(), timeZone)

  function datasetOn(today: string): Dataset {
    if (fault === 'server error') throw new Error('a simulated fault of the website')
    const dataset = sampleDatasetOn(today)
    const own = [...edited.values()].flatMap(({ event, isRemoved }) => (isRemoved ? [] : [event]))
    const events = [...dataset.events, ...own]
    const rest = fault === 'missing records' ? events.slice(0, 3) : events
    return { ...dataset, events: rest }
  }

  await using starting = new AsyncDisposableStack()
  const settings = { now, callsPerDay, dataDirectory: join(directory, 'website') }
  const sandbox = starting.use(
    await createSandbox({ ...settings, datasetOn, report: () => undefined }),
  )
  const state = starting.use(openState(settings.dataDirectory, { ...sandboxDefaults, ...settings }))
  const project = 1
  let refreshToken = sandbox.projects[0]?.refreshToken ?? ''
  const running = starting.move()

  function put(number: number, event: PublicEvent, rest: Partial<EditedEvent> = {}): void {
    const edits = (edited.get(number)?.edits ?? 0) + 1
    edited.set(number, { number, event, editedAt: now(), edits, isRemoved: false, ...rest })
  }

  function add(): void {
    const number = edited.size + 1
    const date = plusDays(siteNow().slice(0, 10), 3 + Math.floor(random() * 40))
    put(number, {
      id: firstId + number,
      title: titleOf(number, 1),
      status: 2,
      location: 'Station 1',
      contact: '',
      text: '',
      startDate: date,
      endDate: date,
      allDay: 0,
      startTime: '19:00:00',
      endTime: '21:00:00',
      created: siteNow(),
      createdBy: 'Webmaster',
      modified: '',
      modifiedBy: '',
    })
  }

  /** Changes the event's title and time, or changes them back without a trace. */
  function edit({ number, event, edits }: EditedEvent): void {
    const isUndone = edits % 3 === 2
    const version = isUndone ? edits - 1 : edits + 1
    const hour = 17 + (version % 4)
    const modified = isUndone ? event.modified : siteNow()
    const changes = { startTime: `${hour}:00:00`, endTime: `${hour + 2}:00:00`, modified }
    put(number, { ...event, ...changes, title: titleOf(number, version) })
  }

  return {
    url: sandbox.url,
    timeZone,
    caFile: sandbox.caFile,
    refreshToken: () => refreshToken,
    events: (): readonly EditedEvent[] => [...edited.values()],
    /** Adds an event, edits one, and sometimes removes one. */
    work(): void {
      add()
      const future = [...edited.values()].filter(
        ({ isRemoved, event }) => !isRemoved && event.startDate > siteNow().slice(0, 10),
      )
      const chosen = future[Math.floor(random() * future.length)]
      if (!chosen) return
      if (random() < 0.2) put(chosen.number, chosen.event, { isRemoved: true })
      else edit(chosen)
    },
    setFault(changed?: WebsiteFault): void {
      fault = changed
    },
    regenerateToken(): void {
      refreshToken = state.tokens.regenerate(project)
    },
    setStatus: (status: 'Enabled' | 'Disabled') => void state.projects.set(project, { status }),
    /** Returns the number of calls, and of calls with each error code that must not occur. */
    calls() {
      const both = [project, undefined].map((id) => state.callLog.statistics(id))
      const codes = both.flatMap((statistics) => statistics.codes)
      return {
        total: both.reduce((sum, { total }) => sum + total.calls, 0),
        busiestDay: Math.max(0, ...both.flatMap(({ days }) => days.map(({ calls }) => calls))),
        failed: codes.filter(({ name }) => name !== ''),
        forbidden: codes.filter(({ name }) => forbiddenCodes.includes(name)),
      }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function titleOf(number: number, version: number): string {
  return `Soak event ${number} version ${version}`
}
