import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { startReplicas, type Replicas } from './proxied.ts'
import { redisIsMissing } from './redis.ts'

const replicasMs = 60_000

/** A suite of a proxy before two replicas, which both run when a test begins; it is given what names them then. */
export function beforeTwoReplicas(
  proxyIsMissing: boolean,
  suite: (replicas: () => Replicas) => void,
): void {
  const isMissing = proxyIsMissing || redisIsMissing
  describe.skipIf(isMissing)('before two replicas', { timeout: replicasMs }, () => {
    let replicas: Replicas

    beforeAll(async () => {
      replicas = await startReplicas()
    }, replicasMs)

    beforeEach(async () => {
      await replicas.first.start()
      await replicas.second.start()
    }, replicasMs)

    afterAll(() => replicas[Symbol.asyncDispose]())

    suite(() => replicas)
  })
}
