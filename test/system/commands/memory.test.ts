import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { expect, test } from 'vitest'

const program = join(import.meta.dirname, '../../../src/main.ts')

/** V8 looks every eight seconds, and code has just been loaded the first time. */
test('V8 sees that an idle worker allocates little, and returns memory', async () => {
  const execArgv = ['--trace-memory-reducer', '--gc-memory-reducer-start-delay-ms=100']
  const worker = fork(program, ['worker', '0'], { execArgv, silent: true })
  const seen: string[] = []
  for await (const line of createInterface({ input: worker.stdout as Readable })) {
    const [, found] = /Memory reducer: (\w+) alloc/.exec(line) ?? []
    if (found !== undefined) seen.push(found)
    if (seen.length === 2) break
  }
  worker.disconnect()
  await once(worker, 'exit')
  expect(seen[1]).toBe('low')
})
