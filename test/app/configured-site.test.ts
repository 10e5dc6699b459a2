import { expect, test } from 'vitest'
import { StoreError } from '../../src/store/store-error.ts'
import { startTestService } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

const pollMs = 2_000

test('does not start with wider settings if the stored ones cannot be read', async () => {
  const starting = startTestService({
    changeStore: (store) => ({
      ...store,
      documents: {
        ...store.documents,
        async get(bucket, id) {
          if (bucket !== 'settings') return store.documents.get(bucket, id)
          throw new StoreError('unreachable', 'The store does not respond.')
        },
      },
    }),
  })
  await expect(starting).rejects.toThrow('The store does not respond.')
})

test('keeps its settings while the store cannot be read', async () => {
  let reads = 0
  await using service = await startTestService({
    changeStore: (store) => ({
      ...store,
      documents: {
        ...store.documents,
        async get(bucket, id) {
          if (bucket === 'settings' && (reads += 1) > 1) {
            throw new StoreError('unreachable', 'The store does not respond.')
          }
          return store.documents.get(bucket, id)
        },
      },
    }),
  })
  await service.clock.advance(pollMs)
  await waitFor(() => expect(reads).toBeGreaterThan(1))
  expect((await fetch(`${service.url}/events.ics`)).status).toBe(200)
  expect(service.lines.join('')).not.toContain('cannot be applied')
})
