import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { exchange, requestText } from '../../support/raw-http.ts'
import { startTestService } from '../../support/service.ts'
import { waitUntil } from '../../support/wait-for.ts'

const path = '/events.ics'

/** The calendar has two thousand events and is larger than a megabyte. */
const manyEventsOn = (today: string) => {
  const sample = sampleDatasetOn(today)
  const [event] = sample.events
  if (!event) throw new TypeError('the sample has no events')
  const text = 'Everybody is welcome. '.repeat(60)
  const events = Array.from({ length: 2000 }, (_, index) => ({ ...event, text, id: index + 1 }))
  return { ...sample, events }
}

test('disconnects a client that does not read its responses from the hot path', async () => {
  await using slow = await startTestService({ sandbox: { datasetOn: manyEventsOn } })
  await exchange(slow.url, requestText(path))
  const { hostname, port } = new URL(slow.url)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  const closed = new Promise((resolve) => {
    socket.on('close', resolve)
  })
  // The responses exceed the socket buffers on both sides.
  socket.write(`GET ${path} HTTP/1.1\r\nHost: feeds.example\r\n\r\n`.repeat(12))
  socket.pause()
  await waitUntil(async () => {
    await slow.clock.advance(60_000)
    return slow.lines.some((line) => line.includes('too slow to read'))
  })
  socket.resume()
  await closed
  expect(socket.destroyed).toBe(true)
})
