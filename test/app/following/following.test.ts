import { expect, test } from 'vitest'
import { addressFrom } from '../../../src/followers/push-subscription.ts'
import { startFollowedService } from '../../support/following.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createBrowserKeys } from './received-push.ts'

const choice = { changes: false, tomorrow: true, emergency: false }

test('sends notifications of the next day’s entries to devices, and logs no address', async () => {
  await using site = await startFollowedService()
  const { service, followers } = site
  await service.readAll()
  // A private address, to which nothing is sent.
  const address = addressFrom({ endpoint: 'https://localhost:9/abc', ...createBrowserKeys() })
  await followers.addDevice({ address, choice, language: 'en' })
  await service.clock.advance(9 * 60 * 60_000)
  const line = await waitFor(() => {
    const found = service.lines.find((each) => each.includes('could not be sent'))
    expect(found).toBeDefined()
    return found ?? ''
  })
  expect(JSON.parse(line)).toMatchObject({
    means: 'push',
    kind: 'tomorrow',
    reason: expect.stringMatching(/^the push service cannot be reached/),
  })
  expect(service.lines.join('')).not.toContain('localhost:9')
})
