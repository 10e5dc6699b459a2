import { privateFeed, type Deployment } from './deployment.ts'
import { checkPrivate, createSubscriber, type Polls, type Truth } from './subscriber.ts'
import type { Violations } from './violations.ts'

const publicPaths = [
  '/events.ics',
  '/calendar.ics',
  '/all.ics',
  '/events.atom',
  '/news.atom',
  '/news.json',
  '/announcements.atom',
]

/** Feed of the subscribers that only know `If-Modified-Since`. */
const datedPath = '/events.ics'

/** Feed that only links show. */
const privatePath = `/${privateFeed}.atom`

/** Feed below the feed link. */
const linkPath = 'events.ics'

export type Subscribers = Awaited<ReturnType<typeof createSubscribers>>

/**
 * Creates subscribers of a deployment. Some always poll the same service, and one polls another replica
 * each time, if the replicas can agree.
 */
export async function createSubscribers(
  { name, services, website }: Deployment,
  options: { readonly violations: Violations; readonly truth: Omit<Truth, 'events'> },
) {
  const [first] = services
  const link = new URL((await first?.addLink()) ?? '').pathname
  const paths = [...publicPaths, `${link}${linkPath}`]
  const truth = { ...options.truth, events: website.events }
  const { violations } = options
  const subscriberTo = (service: string, knowsOnlyDates = false) =>
    createSubscriber(service, { violations, truth, knowsOnlyDates })
  const loyal = services.map((service) => ({
    service,
    subscriber: subscriberTo(`${name}, ${service.name}`),
    reader: subscriberTo(`${name}, ${service.name}, by date`, true),
  }))
  const roaming = services.length > 1 ? subscriberTo(`${name}, any replica`) : undefined
  let rounds = 0

  return {
    /** Polls every feed of every running service. */
    poll: async (): Promise<void> => {
      rounds += 1
      const running = loyal.filter(({ service }) => service.isRunning())
      await Promise.all(
        running.map(async ({ service, subscriber, reader }) => {
          for (const path of paths) await subscriber.poll(`${service.url()}${path}`)
          await reader.poll(`${service.url()}${datedPath}`)
          await checkPrivate(
            `${service.url()}${privatePath}`,
            `${name}, ${service.name}`,
            violations,
          )
        }),
      )
      const chosen = running[rounds % running.length]
      if (!roaming || !chosen || !truth.canAgree()) return
      for (const path of paths) await roaming.poll(`${chosen.service.url()}${path}`)
    },
    polls: (): readonly Polls[] => [
      ...loyal.flatMap(({ subscriber, reader }) => [subscriber.polls, reader.polls]),
      ...(roaming ? [roaming.polls] : []),
    ],
  }
}
