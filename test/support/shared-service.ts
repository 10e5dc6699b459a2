import { afterAll, beforeAll } from 'vitest'
import { startTestService } from './service.ts'

/**
 * Starts a service, reads all of its records, shares it among the tests in a file, and stops it after the
 * last one.
 */
export function sharedService(options: Parameters<typeof startTestService>[0] = {}) {
  let service: Awaited<ReturnType<typeof startTestService>>

  beforeAll(async () => {
    service = await startTestService(options)
    await service.readAll()
  })

  afterAll(() => service[Symbol.asyncDispose]())

  return () => service
}
