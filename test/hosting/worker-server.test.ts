import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openWorkerServer } from '../../src/hosting/worker-server.ts'
import { callsSentBy, type WorkerEvents } from '../../src/front/protocol.ts'
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

/** Kills its front, and sends it a message before the event loop can notice that. */
const orphan = `
  import { openWorkerChannel } from ${JSON.stringify(join(import.meta.dirname, '../../src/hosting/worker-server.ts'))}
  const { channel } = openWorkerChannel(0)
  const front = process.ppid
  process.kill(front, 'SIGKILL')
  while (process.ppid === front);
  channel.front.pong()
  process.once('exit', (code) => console.error('exits with', code))
`

const front = `
  const options = { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }
  const args = ['--input-type=module', '--eval', process.argv[1]]
  require('node:child_process').spawn(process.execPath, args, options)
`

test('exits without an error message if the front has been killed', async () => {
  const started = spawn(process.execPath, ['--eval', front, orphan])
  const [errors] = await Promise.all([text(started.stderr), once(started, 'exit')])
  expect(errors).toBe('exits with 1\n')
})
