import type { Clock } from '../../src/clock.ts'
import type { Store } from '../../src/store/store.ts'
import type { TokenMemory } from '../../src/upstream/token-memory.ts'
import { createTokenSource, type RequestToken } from '../../src/upstream/token-source.ts'
import { openTestStore } from './store.ts'

/** A token source whose memory is a real store, and the store, for others that share it. */
export function createTestTokens({
  clock,
  requestToken,
  store = openTestStore(clock.now),
  holder = 'a',
  fingerprint = 'site and token',
  ignoresPauses = false,
}: {
  readonly clock: Clock
  readonly requestToken: RequestToken
  readonly ignoresPauses?: boolean
  readonly store?: Store
  readonly holder?: string
  readonly fingerprint?: string
}) {
  const { documents, windows, leases } = store
  const memory: TokenMemory = {
    load: async () => (await documents.get('tokens', 'access'))?.value,
    save: (value) => documents.write([{ bucket: 'tokens', id: 'access', value }]),
    attempts: {
      take: (limits) => windows.take('token requests', limits),
      giveBack: (id) => windows.giveBack('token requests', id),
    },
    takeLease: (ttlMs) => leases.take('token', holder, ttlMs),
    releaseLease: () => leases.release('token', holder),
  }
  const source = { requestToken, memory, fingerprint, ignoresPauses, clock, random: () => 0 }
  const tokens = createTokenSource(source)
  return { tokens, store }
}
