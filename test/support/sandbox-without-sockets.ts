import { createDataService } from '../../src/sandbox/data-service.ts'
import { newProject } from '../../src/sandbox/project-settings.ts'
import { ofLatestDay, sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { sandboxDefaults } from '../../src/sandbox/sandbox.ts'
import { openState } from '../../src/sandbox/state/state.ts'
import type { Transport } from '../../src/upstream/connection.ts'
import { retryAfterMs } from '../../src/upstream/upstream-error.ts'
import { oneTurn } from './fake-clock.ts'
import { fewOn } from './few-records.ts'

const url = 'https://cedarhollow.example'

/**
 * Returns all sign-up sheets, because each of them costs a call, and a few of the other records.
 */
export const fewWithAllSheetsOn = ofLatestDay((today) => ({
  ...fewOn(today),
  signup: sampleDatasetOn(today).signup,
}))

/** A website, with the connection that replicas use. */
export type TestWebsite = AsyncDisposable &
  Transport & {
    readonly url: string
    readonly timeZone: string
    readonly refreshToken: string
  }

/** Creates a sandbox with the specified API limits and an in-process connection to it. */
export async function openSandboxWithoutSockets(now: () => number): Promise<TestWebsite> {
  const settings = { ...sandboxDefaults, now, url, datasetOn: fewWithAllSheetsOn }
  const state = openState(undefined, settings)
  const service = createDataService({ ...settings, ...state })
  const { refreshToken } = state.projects.add({ ...newProject, name: 'demo' })
  return {
    url,
    timeZone: settings.timeZone,
    refreshToken,
    async request({ method, path, token }) {
      // Lets calls overlap, as they do over a network.
      await oneTurn()
      const [pathname = '', query = ''] = path.split('?')
      const { status, headers, body } = service.answer({
        isSecure: true,
        method,
        path: pathname,
        query,
        authorization: [`Bearer ${token}`],
        address: '127.0.0.1',
      })
      return {
        status,
        body: JSON.parse(JSON.stringify(body)),
        retryAfterMs: retryAfterMs(headers['Retry-After'], now()),
      }
    },
    [Symbol.asyncDispose]: async () => state[Symbol.dispose](),
  }
}
