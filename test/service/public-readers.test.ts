import { expect, test } from 'vitest'
import { adminEnvironment, createAdmin } from '../support/admin.ts'
import { fewRecords } from '../support/few-records.ts'
import { openFrontedServer } from '../support/fronted-server.ts'
import { startTestService } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

test('the status page shows readers of public feeds, and the numbers that services report', async () => {
  await using service = await startTestService({
    sandbox: fewRecords,
    environment: adminEnvironment,
    openServer: openFrontedServer,
  })
  const link = new URL(await service.addLink({})).pathname
  const read = (path: string, userAgent: string) => service.get(path, { 'user-agent': userAgent })
  for (const path of ['/events.ics', '/events.ics', '/agenda', `${link}events.ics`]) {
    await read(path, 'iOS/18.1 dataaccessd/1.0')
  }
  for (const count of ['7', '8', '9999999']) {
    await read(
      '/news.rss',
      `Feedly/1.0 (+http://www.feedly.com/fetcher.html; ${count} subscribers)`,
    )
  }
  await service.clock.leap(60_000)
  const { see } = await createAdmin(service.url).signIn()
  await waitFor(async () => {
    expect(await see('/admin/status')).toContain('Feedly (as it reports) 8, Apple Calendar 1')
  })
})
