import { expect, test } from 'vitest'
import { isOnline } from '../../src/records/fields.ts'

test.for([
  [{ status: 'online' }, true],
  [{ status: 'pending' }, false],
  [{ status: 'offline' }, false],
  [{ deployed: true }, true],
  [{ deployed: false }, false],
  [{}, true],
] as const)('decides whether %o is shown: %s', ([record, isShown]) => {
  expect(isOnline({ id: 1, ...record })).toBe(isShown)
})
