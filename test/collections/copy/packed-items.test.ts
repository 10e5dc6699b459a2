import { createHook } from 'node:async_hooks'
import { inflateRawSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { jsonOf, packItems, unpackItems } from '../../../src/collections/copy/packed-items.ts'

test.for([0, 1, 500, 501, 1200])('unpacks %i items as they were packed', async (count) => {
  const items = Array.from({ length: count }, (_, id) => ({ id, title: `Übung ${id}`, tags: [] }))
  const packed = await packItems(items)
  expect(await unpackItems(packed)).toEqual(items)
  expect(packed).toHaveLength(Math.ceil(count / 500))
})

test('packs long items in parts of at most 256 Ki characters and one item more', async () => {
  const items = Array.from({ length: 100 }, (_, id) => ({ id, text: `${id}`.repeat(20_000) }))
  const packed = await packItems(items)
  expect(await unpackItems(packed)).toEqual(items)
  const lengths = packed.map((part) => inflateRawSync(part).length)
  expect(Math.max(...lengths)).toBeLessThan(256 * 1024 + JSON.stringify(items.at(-1)).length + 100)
  expect(JSON.parse(await jsonOf(items))).toEqual(items)
})

test('keeps no memory beyond the compressed bytes', async () => {
  const [packed] = await packItems([{ id: 1, title: 'Pancake breakfast' }])
  expect(packed?.buffer.byteLength).toBe(packed?.byteLength)
})

test('lets other tasks run after compressing each part', async () => {
  const events: string[] = []
  const hook = createHook({ init: (_id, type) => type === 'ZLIB' && events.push('part') }).enable()
  let next = setImmediate(function note() {
    events.push('task')
    next = setImmediate(note)
  })
  onTestFinished(() => {
    hook.disable()
    clearImmediate(next)
  })
  await packItems(Array.from({ length: 1500 }, (_, id) => ({ id })))
  expect(events.filter((event) => event === 'part')).toHaveLength(3)
  expect(events.join(' ')).not.toContain('part part')
})
