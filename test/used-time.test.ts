import { expect, test } from 'vitest'
import { createUsedTime } from '../src/used-time.ts'

test.for(['192.0.2', '2001:db8:1', ''])('counts the time of "%s" once', (network) => {
  const used = createUsedTime(1_000)
  used.add(network, 80, 0)
  expect(used.of(network, 0)).toBe(90)
  expect(used.of(network, 1_000)).toBe(45)
})
