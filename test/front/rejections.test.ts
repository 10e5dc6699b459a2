import { expect, test } from 'vitest'
import { createRejections } from '../../src/front/rejections.ts'
import { createLogger } from '../../src/log.ts'
import { createFakeClock } from '../support/fake-clock.ts'

test('logs each rejection on one line, but logs only some of them during a flood', async () => {
  const clock = createFakeClock()
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => lines.push(line) })
  const rejections = createRejections(clock, log)
  for (let index = 0; index < 25; index += 1)
    rejections.report('not HTTP', { address: '192.0.2.1' })
  expect(lines).toHaveLength(10)
  await clock.advance(1000)
  rejections.report('too many variants', { address: '192.0.2.2' })
  rejections.report('too many variants', { address: '192.0.2.2' })
  expect(lines.slice(10).map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', reason: 'too many variants', address: '192.0.2.2', unlogged: 15 },
    { reason: 'too many variants' },
  ])
  expect(lines.at(-1)).not.toContain('unlogged')
  expect([...rejections.counts()]).toEqual([
    ['not HTTP', 25],
    ['too many variants', 2],
  ])
})
