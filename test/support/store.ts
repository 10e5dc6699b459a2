import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createSharedWindow } from '../../src/store/shared-window.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { testDirectory } from './service.ts'

/** Opens a SQLite store for one test. */
export function openTestStore(now: () => number): Store {
  const store = openSqliteStore(join(testDirectory(), 'store.sqlite'), now)
  onTestFinished(() => store[Symbol.asyncDispose]())
  return store
}

/** Opens a rate-limit window in a new store. */
export function openTestWindow(now: () => number, name = 'calls') {
  return createSharedWindow(openTestStore(now).windows, name, { shareOf: ({ max }) => max, now })
}
