import { afterAll, beforeAll } from 'vitest'
import type { Dataset } from '../../src/sandbox/resources/resources.ts'
import { startTestService, type TestService, type TestServiceOptions } from './service.ts'

/**
 * Starts a service for the tests in a file or suite, prepares it, and stops it after the last one. By
 * default, it reads all of its records.
 */
export function sharedService(
  options: TestServiceOptions = {},
  prepare = (service: TestService): Promise<unknown> => service.readAll(),
) {
  let service: TestService

  beforeAll(async () => {
    service = await startTestService(options)
    await prepare(service)
  })

  afterAll(() => service[Symbol.asyncDispose]())

  return () => service
}

/** Shares a service with these records, and requests its pages. */
export function sharedPages(dataset: Dataset, options: TestServiceOptions = {}) {
  const service = sharedService({ ...options, sandbox: { datasetOn: () => dataset } })
  return {
    service,
    /** Requests a path, relative to the service or to the URL of a link's page. */
    get: (path: string, base = `${service().url}/`) => service().get(`${base}${path}`),
  }
}
