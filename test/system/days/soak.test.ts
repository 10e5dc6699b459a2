import { expect, test } from 'vitest'
import { runSoak } from '../../soak/run-soak.ts'
import { oneNight } from '../../soak/schedule.ts'
import { simulationTimeoutMs } from '../../support/deployment.ts'
import { redisIsMissing } from '../../support/redis.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { temporaryDirectory } from '../../support/service.ts'

const kinds = redisIsMissing ? (['SQLite'] as const) : (['SQLite', 'Redis'] as const)

test.for(kinds)(
  'subscribers do not notice crashes, updates, wrong clocks, a new token and failures of the store: %s',
  { concurrent: true, timeout: simulationTimeoutMs },
  async (kind) => {
    using directory = temporaryDirectory()
    const { deployments, violations } = await runSoak({
      schedule: oneNight(),
      kinds: [kind],
      directory: directory.path,
      random: seededRandom(),
      print: () => undefined,
    })
    const texts = violations.map(({ service, feed, entry, sentence, count }) =>
      [service, feed, entry, sentence, `${count} times`].join(' | '),
    )
    expect(texts).toEqual([])
    for (const { polls } of deployments) {
      for (const { parsed } of polls) expect(parsed).toBeGreaterThan(5)
    }
  },
)
