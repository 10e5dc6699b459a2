import { expect, test } from 'vitest'
import { createFollowKeys } from '../../src/followers/follow-keys.ts'
import { createFollowers } from '../../src/followers/followers.ts'
import type { Store } from '../../src/store/store.ts'
import { silent } from '../followers/follower.ts'
import { fewRecords } from '../support/few-records.ts'
import { startTestHosting } from '../support/hosting.ts'
import { startMailServer } from '../support/receivers.ts'
import { waitFor } from '../support/wait-for.ts'

const secret = 'a-secret-with-enough-letters'

const siteAt = (name: string) => ({
  publicUrl: `https://${name}.example.org`,
  datasetOn: fewRecords.datasetOn,
  environment: {
    PUBLIC_URL: `https://${name}.example.org`,
    MAIL_FOLLOW: 'yes',
    MAIL_FROM: `news@${name}.example.org`,
    MAIL_PER_DAY: '4',
  },
})

test('sites that share a mail account send at most as many emails as one of them may', async () => {
  const { url, mails } = await startMailServer()
  const stores = new Map<string, Store>()
  const { clock } = await startTestHosting(
    { ash: siteAt('ash'), elm: siteAt('elm') },
    {
      environment: { SMTP_URL: url, MAIL_KEY: secret },
      changeStore(store, name) {
        stores.set(name, store)
        return store
      },
    },
  )
  const keys = createFollowKeys(secret)
  for (const [name, { documents }] of stores) {
    const followers = createFollowers(documents, { keys, clock })
    for (let index = 0; index < 4; index += 1) {
      const address = `${index}@${name}.example.org`
      await followers.request({ address, choice: silent, language: 'en' })
    }
  }
  await clock.advance(15_000)
  await waitFor(() => expect(mails).toHaveLength(4))
  await clock.advance(60_000)
  expect(mails).toHaveLength(4)
  await clock.leap(24 * 60 * 60_000)
  await clock.advance(15_000)
  await waitFor(() => expect(mails).toHaveLength(8))
})
