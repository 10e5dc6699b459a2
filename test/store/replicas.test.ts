import { expect, test } from 'vitest'
import { createReplicas } from '../../src/store/replicas.ts'
import type { Documents } from '../../src/store/store.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'

test('counts itself, even if its entry expires while the machine is suspended', async () => {
  const clock = createFakeClock()
  const { documents } = openTestStore(clock.now)
  const write: Documents['write'] = async (...writes) => {
    const isWritten = await documents.write(...writes)
    await clock.leap(60_000)
    return isWritten
  }
  const replicas = createReplicas({ ...documents, write }, { id: 'a', now: clock.now })
  await replicas.heartbeat()
  expect(replicas.count()).toBe(1)
})
