import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorkerServer } from '../../src/app/worker-server.ts'
import { callsSentBy, type WorkerEvents } from '../../src/http/front/protocol.ts'
import { createLogger } from '../../src/log.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { testDirectory } from '../support/service.ts'

test('serves the latest sites, even if they change while it starts to listen', async () => {
  const events: WorkerEvents = new EventEmitter()
  const socketPath = join(testDirectory(), 'worker')
  const front = callsSentBy(([name]) => {
    if (name !== 'listen') return
    const share = undefined
    events.emit('listening', { url: '', socketPath, exits: [], share, sitesText: 'before' })
    events.emit('sites', { text: 'changed', share })
  })
  const address = { host: '127.0.0.1', port: 0, proxies: 0, isAlone: false, sites: [], workers: 1 }
  const tools = { clock: createFakeClock(), log: createLogger('silent') }
  await using server = await openWorkerServer({ index: 0, front, events }, address, tools)
  const texts: string[] = []
  server.onSitesChange(({ text }) => texts.push(text))
  expect(texts).toEqual(['changed'])
})
