import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { notifySystemd } from '../../src/hosting/systemd.ts'
import { createLogger } from '../../src/log.ts'
import { testDirectory } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

const NOTIFY_SOCKET = '/run/systemd/notify'

/** Starts to notify systemd, with a `systemd-notify` that writes its arguments to a file by default. */
function start(environment: Record<string, string>, script = 'echo "$NOTIFY_SOCKET $*" >> states') {
  const directory = testDirectory()
  const at = (name: string) => join(directory, name)
  const command = `#!/bin/sh\ncd ${directory}\n${script}\n`
  writeFileSync(at('systemd-notify'), command, { mode: 0o755 })
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => lines.push(line) })
  const served = Promise.withResolvers<number>()
  const stopping = new AbortController()
  onTestFinished(() => stopping.abort())
  const env = { PATH: directory, ...environment }
  const ended = notifySystemd({ served: served.promise, log: () => log }, stopping.signal, env)
  return {
    ended,
    lines,
    served: () => served.resolve(1),
    stop: () => stopping.abort(),
    states: () =>
      existsSync(at('states')) ? readFileSync(at('states'), 'utf8').trim().split('\n') : [],
  }
}

test('notifies systemd when the front serves, while it runs, and when it stops', async () => {
  const { ended, served, stop, states } = start({ NOTIFY_SOCKET, WATCHDOG_USEC: '40000' })
  served()
  await waitFor(() => expect(states().length).toBeGreaterThan(5))
  stop()
  await ended
  await waitFor(() => expect(states().at(-1)).toBe(`${NOTIFY_SOCKET} STOPPING=1`))
  const [first, ...others] = states().slice(0, -1)
  expect(first).toBe(`${NOTIFY_SOCKET} READY=1`)
  expect(new Set(others)).toEqual(new Set([`${NOTIFY_SOCKET} WATCHDOG=1`]))
})

test('sends nothing to systemd if the front stops before it serves', async () => {
  const { ended, served, stop, states } = start({ NOTIFY_SOCKET, WATCHDOG_USEC: '1000' })
  const other = start({ NOTIFY_SOCKET, WATCHDOG_USEC: '1000' })
  stop()
  served()
  other.served()
  await ended
  await waitFor(() => expect(other.states().length).toBeGreaterThan(5))
  expect(states()).toEqual([])
  other.stop()
  // Otherwise, its messages would be written while their directory is deleted.
  await waitFor(() => expect(other.states().at(-1)).toContain('STOPPING=1'))
})

test('does not send watchdog messages if the unit has no watchdog', async () => {
  const { ended, served, stop, states } = start({ NOTIFY_SOCKET })
  served()
  await ended
  stop()
  await waitFor(() =>
    expect(states()).toEqual([`${NOTIFY_SOCKET} READY=1`, `${NOTIFY_SOCKET} STOPPING=1`]),
  )
})

test('does nothing unless systemd waits for messages', async () => {
  const { ended, states } = start({ WATCHDOG_USEC: '1000' })
  await ended
  expect(states()).toEqual([])
})

test('logs an error if messages to systemd stop', async () => {
  const { served, lines } = start({ NOTIFY_SOCKET, WATCHDOG_USEC: '1000' }, 'kill -9 $PPID')
  served()
  await waitFor(() => expect(lines.join('')).toContain('messages to systemd have stopped'))
})
