import { setTimeout as sleep } from 'node:timers/promises'
import type { Deployment, DeploymentKind } from './deployment.ts'
import type { RedisPair } from './redis-pair.ts'
import type { Service } from './service.ts'
import { dayMs, hourMs, minuteMs } from './soak-time.ts'

/** Longest real time between the start of a step and a kill, so that work is interrupted. */
const killWithinMs = 5

export type World = {
  readonly deployments: readonly Deployment[]
  readonly random: () => number
  /** Changes the clocks of all services. */
  readonly jump: (ms: number) => Promise<void>
}

/** A fault that begins and ends at set times. */
export type Fault = {
  readonly begin: (world: World) => Promise<void> | void
  readonly end?: (world: World) => Promise<void> | void
  /** How long after the end subscribers may still see old records. */
  readonly recoveryMs: number
  /** Kind of deployment that can have the fault; undefined for all. */
  readonly onlyFor?: DeploymentKind
  /** True if the replicas cannot agree during the fault. */
  readonly separatesReplicas?: boolean
}

const websites = ({ deployments }: World) => deployments.map(({ website }) => website)

function siteNetwork(passage: 'reset' | 'silent' | 'truncated'): Fault {
  const set = ({ deployments }: World, to: typeof passage | 'open') =>
    deployments.forEach(({ siteGate }) => siteGate.set(to))
  return {
    begin: (world) => set(world, passage),
    end: (world) => set(world, 'open'),
    recoveryMs: 2 * hourMs,
  }
}

function websiteFault(fault: 'server error' | 'missing records'): Fault {
  const set = (world: World, to?: typeof fault) =>
    websites(world).forEach((website) => website.setFault(to))
  return { begin: (world) => set(world, fault), end: (world) => set(world), recoveryMs: 2 * hourMs }
}

function clockJump(ms: number): Fault {
  return {
    begin: ({ jump }) => jump(ms),
    end: ({ jump }) => jump(-ms),
    recoveryMs: 3 * hourMs,
  }
}

/** Selects some of a deployment's services. */
type Choose = (services: readonly Service[]) => readonly Service[]

/** Kills the selected services during a step, and starts them again at the end. */
function killed(choose: Choose): Fault {
  return {
    begin: ({ deployments, random }) =>
      inAll(deployments, choose, async (service) => {
        const passing = service.pass(minuteMs, 0).catch(() => undefined)
        await sleep(random() * killWithinMs)
        await service.kill()
        await passing
      }),
    end: ({ deployments }) => inAll(deployments, choose, (service, { start }) => start(service)),
    recoveryMs: 2 * hourMs,
  }
}

/** Replaces services one at a time, the way an update does. */
function replaced(choose: Choose): Fault {
  return {
    begin: ({ deployments }) =>
      inEach(deployments, choose, async (service, { start }) => {
        await service.stop()
        await start(service)
      }),
    recoveryMs: 2 * hourMs,
  }
}

type Work = (service: Service, deployment: Deployment) => Promise<void>

async function inAll(
  deployments: readonly Deployment[],
  choose: Choose,
  work: Work,
): Promise<void> {
  const working = deployments.flatMap((deployment) =>
    choose(deployment.services).map((service) => work(service, deployment)),
  )
  await Promise.all(working)
}

async function inEach(
  deployments: readonly Deployment[],
  choose: Choose,
  work: Work,
): Promise<void> {
  for (const deployment of deployments) {
    for (const service of choose(deployment.services)) await work(service, deployment)
  }
}

const firstReplica: Choose = (services) => (services.length > 1 ? services.slice(0, 1) : [])
const all: Choose = (services) => services

async function inEachRedis(
  { deployments }: World,
  work: (redis: RedisPair, services: readonly Service[]) => Promise<void>,
): Promise<void> {
  for (const { redis, services } of deployments) {
    if (redis) await work(redis, services)
  }
}

/** Makes Redis unavailable, and waits until all services have reached it again. */
function redisFault(
  begin: (redis: RedisPair) => Promise<void>,
  end: (redis: RedisPair) => Promise<void>,
): Fault {
  return {
    begin: (world) => inEachRedis(world, begin),
    end: (world) =>
      inEachRedis(world, async (redis, services) => {
        await end(redis)
        await redis.connected(services.filter((service) => service.isRunning()).length)
      }),
    recoveryMs: 2 * hourMs,
    onlyFor: 'Redis',
    separatesReplicas: true,
  }
}

/** Makes Redis lose data without an interruption. */
function redisLoss(lose: (redis: RedisPair) => Promise<unknown>): Fault {
  return {
    begin: (world) => inEachRedis(world, async (redis) => void (await lose(redis))),
    recoveryMs: 2 * hourMs,
    onlyFor: 'Redis',
    separatesReplicas: true,
  }
}

const fullDisk: Fault = {
  begin: (world) => world.deployments.forEach(({ disk }) => disk?.fill()),
  end: (world) => world.deployments.forEach(({ disk }) => disk?.free()),
  recoveryMs: 2 * hourMs,
  onlyFor: 'SQLite',
}

const deletedFile: Fault = {
  begin: (world) => world.deployments.forEach(({ disk }) => disk?.deleteStores()),
  recoveryMs: 2 * hourMs,
  onlyFor: 'SQLite',
}

/** The new token reaches the token file at the end. */
const regeneratedToken: Fault = {
  begin(world) {
    websites(world).forEach((website) => website.regenerateToken())
  },
  end(world) {
    for (const { website, saveToken } of world.deployments) saveToken(website.refreshToken())
  },
  // A rejected token is tried again every 15 to 18 minutes.
  recoveryMs: 3 * hourMs,
}

const disabledProject: Fault = {
  begin: (world) => websites(world).forEach(({ setStatus }) => setStatus('Disabled')),
  end: (world) => websites(world).forEach(({ setStatus }) => setStatus('Enabled')),
  recoveryMs: 3 * hourMs,
}

/** All faults, by the name that the report uses. */
export const faults = {
  'website unreachable': siteNetwork('reset'),
  'website silent': siteNetwork('silent'),
  'responses cut off': siteNetwork('truncated'),
  'server errors': websiteFault('server error'),
  'missing records': websiteFault('missing records'),
  'token regenerated': regeneratedToken,
  'project disabled': disabledProject,
  'kill -9 of every process': killed(all),
  'kill -9 of a replica': killed(firstReplica),
  'every process replaced': replaced(all),
  'replica replaced': replaced(firstReplica),
  'full disk': fullDisk,
  'SQLite file deleted': deletedFile,
  'Redis unreachable': redisFault(
    (redis) => redis.disconnect(),
    (redis) => redis.reconnect(),
  ),
  'Redis failover': redisFault(
    (redis) => redis.kill(),
    (redis) => redis.promote(),
  ),
  'Redis restarted empty': redisFault(
    (redis) => redis.kill(),
    (redis) => redis.restartEmpty(),
  ),
  'Redis emptied': redisLoss((redis) => redis.empty()),
  'Redis evicts keys': redisLoss((redis) => redis.evict('settings', 'links', 'identity')),
  'clock an hour ahead': clockJump(hourMs),
  'clock an hour behind': clockJump(-hourMs),
  'clock a day ahead': clockJump(dayMs),
  'clock a day behind': clockJump(-dayMs),
} as const satisfies Readonly<Record<string, Fault>>

export type FaultName = keyof typeof faults
