import { expect, test } from 'vitest'
import { createExportLease } from '../../src/export/export-site.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'

test('keeps others out while an export renews the lease, and for a minute after it was killed', async () => {
  const clock = createFakeClock()
  const { leases } = openTestStore(clock.now)
  const mine = createExportLease('/srv/web', leases, clock)
  const other = createExportLease('/srv/web', leases, clock)
  const refused = 'Another export is writing to /srv/web.'
  for (let files = 0; files < 5; files += 1) {
    await mine.hold()
    await clock.advance(25_000)
    await expect(other.hold()).rejects.toThrow(refused)
  }
  await mine.hold()
  await clock.advance(60_000)
  await other.hold()
  await expect(mine.hold()).rejects.toThrow(refused)
  await other.release()
  await mine.hold()
})
