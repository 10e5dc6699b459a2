import { createHook } from 'node:async_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { keepTickFast } from '../../src/hosting/kept-tick.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

test('keeps an object of the kind that each tick creates', async () => {
  const ticks: WeakRef<object>[] = []
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') ticks.push(new WeakRef(resource))
    },
  })
  hook.enable()
  keepTickFast()
  hook.disable()
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
  collectGarbage()
  expect(ticks.map((tick) => tick.deref() !== undefined)).toEqual([true])
})
