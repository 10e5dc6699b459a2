import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mountDisk } from './disk.ts'
import { createGate } from './gate.ts'
import { startRedisPair } from './redis-pair.ts'
import { createService, type Service } from './service.ts'
import type { SoakTime } from './soak-time.ts'
import { createWebsite } from './website.ts'

/** Low enough that Feedhouse has to use its calls sparingly. */
const callsPerDay = 300

const publicFeeds = ['events', 'calendar', 'news', 'announcements']

/** Feed that is public without the stored settings. */
export const privateFeed = 'documents'

export type DeploymentKind = 'SQLite' | 'Redis'

export type Deployment = Awaited<ReturnType<typeof createDeployment>>

/** Creates a website, and the processes that serve its feeds from one store, which have yet to be started. */
export async function createDeployment(
  kind: DeploymentKind,
  parts: {
    readonly directory: string
    readonly time: SoakTime
    readonly random: () => number
    readonly note: (sentence: string) => void
  },
) {
  const { time, random, note } = parts
  const directory = join(parts.directory, kind)
  mkdirSync(directory)
  await using creating = new AsyncDisposableStack()
  const website = creating.use(
    await createWebsite({ directory, now: time.now, random, callsPerDay }),
  )
  /** Network between the service and the website. */
  const siteGate = creating.use(await createGate(Number(new URL(website.url).port)))
  const redis = kind === 'Redis' ? creating.use(await startRedisPair()) : undefined
  const mounted = kind === 'SQLite' ? mountDisk(directory) : undefined
  if (typeof mounted === 'string') note(mounted)
  /** The small disk with the SQLite file. */
  const disk = typeof mounted === 'string' ? undefined : mounted
  if (disk) creating.use(disk)
  const tokenFile = join(directory, 'refresh-token')
  /** Puts a refresh token into the service's token file. */
  const saveToken = (token: string) => writeFileSync(tokenFile, token, { mode: 0o600 })
  saveToken(website.refreshToken())
  const settings = {
    SITE_URL: `https://localhost:${siteGate.port}`,
    SITE_REFRESH_TOKEN_FILE: tokenFile,
    SITE_TIME_ZONE: website.timeZone,
    SITE_CA_FILE: website.caFile,
    PUBLIC_FEEDS: [...publicFeeds, privateFeed].join(','),
    PUBLIC_URL: 'http://127.0.0.1',
    CALLS_PER_DAY: String(callsPerDay),
    LOG_LEVEL: 'info',
    PORT: '0',
    ...(redis ? { REDIS_URL: redis.url } : { DATA_DIR: disk?.path ?? join(directory, 'data') }),
  }
  const names = kind === 'Redis' ? ['replica 1', 'replica 2'] : ['single']
  const services = names.map((name, index) =>
    createService(name, { directory, settings, seed: index + 1 }),
  )
  for (const service of services) creating.defer(service.kill)
  const running = creating.move()
  return {
    name: kind,
    website,
    siteGate,
    services,
    redis,
    disk,
    saveToken,
    /** Makes the private feed private on the admin page. */
    makePrivate: () => services[0]?.publish(publicFeeds),
    start: (service: Service) =>
      service.start({ startAt: time.now(), clockErrorMs: time.clockErrorMs() }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
