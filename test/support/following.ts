import { idHostDocument } from '../../src/app/id-host.ts'
import { createFollowKeys } from '../../src/followers/follow-keys.ts'
import { createFollowers } from '../../src/followers/followers.ts'
import type { Store } from '../../src/store/store.ts'
import { requestPage, type PageRequest } from './page-request.ts'
import { startTestService, type TestServiceOptions } from './service.ts'

const secret = 'a-secret-with-enough-letters'

/** Settings with which devices get notifications. */
export const pushEnvironment = { PUSH_SUBJECT: 'mailto:web@example.org', MAIL_KEY: secret }

/** Settings with which people can follow by email and on devices. Nothing listens at the mail server's port. */
export const followEnvironment = {
  ...pushEnvironment,
  MAIL_FOLLOW: 'yes',
  MAIL_FROM: 'news@example.org',
  SMTP_URL: 'smtp://127.0.0.1:9',
  PUBLIC_URL: 'http://feeds.example',
}

export type FollowedService = Awaited<ReturnType<typeof startFollowedService>>

/** Starts a service that people can follow by email, with its followers, and requests its pages. */
export async function startFollowedService(options: TestServiceOptions = {}) {
  let store: Store | undefined
  const service = await startTestService({
    ...options,
    environment: { ...followEnvironment, ...options.environment },
    changeStore: (opened) => (store = options.changeStore?.(opened) ?? opened),
  })
  if (!store) throw new Error('the store was not opened')
  const { documents } = store
  const stored = await documents.get(idHostDocument.bucket, idHostDocument.id)
  const idHost = JSON.parse(stored?.value ?? '""')
  const followersWith = (key: string) =>
    createFollowers(documents, { keys: createFollowKeys(key), clock: service.clock, idHost })
  const followers = followersWith(secret)
  const visit = (path: string, request?: PageRequest) =>
    requestPage(`${service.url}${path}`, request)
  return {
    service,
    followers,
    /** Returns the same followers, but with another secret. */
    followersWith,
    visit,
    /** Submits a form with these fields, or an empty one. */
    post: (path: string, form: NonNullable<PageRequest['form']> = {}) =>
      visit(path, { method: 'POST', form, origin: service.url }),
    /** Adds a link, and returns the path of its page. */
    addLink: async (wish: Parameters<typeof service.addLink>[0]) =>
      new URL(await service.addLink(wish)).pathname,
    /** Returns what is stored, as text. */
    stored: async () => JSON.stringify(await followers.all()),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}
