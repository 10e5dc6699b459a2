import { afterAll, beforeAll } from 'vitest'
import { startTestService } from './service.ts'

type ServiceOptions = NonNullable<Parameters<typeof startTestService>[0]>
type Dataset = ReturnType<NonNullable<NonNullable<ServiceOptions['sandbox']>['datasetOn']>>

/** Starts a service with these records for all tests of a file, and requests its pages. */
export function sharedPages(dataset: Dataset, options: Omit<ServiceOptions, 'sandbox'> = {}) {
  let service: Awaited<ReturnType<typeof startTestService>>

  beforeAll(async () => {
    service = await startTestService({ ...options, sandbox: { datasetOn: () => dataset } })
    await service.readAll()
  })

  afterAll(async () => {
    await service[Symbol.asyncDispose]()
  })

  return {
    service: () => service,
    /** Requests a path, relative to the service or to the URL of a link's page. */
    get: async (path: string, base = `${service.url}/`) => {
      const response = await fetch(`${base}${path}`)
      const { status, url, headers } = response
      return { status, url, headers, text: await response.text() }
    },
  }
}
