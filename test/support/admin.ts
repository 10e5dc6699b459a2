import { randomBytes } from 'node:crypto'
import { beforeEach } from 'vitest'
import { newLinkId } from '../../src/links/stored-links.ts'
import { requestPage, type PageRequest } from './page-request.ts'
import type { TestServiceOptions } from './service.ts'
import { sharedService } from './shared-service.ts'

export type FormOptions = Omit<PageRequest, 'method'>

export const testPassword = 'correct horse battery'

export const adminEnvironment = { ADMIN_PASSWORD: testPassword }

/** Creates a client for the admin page. `origin` is that of the public URL. */
export function createAdmin(url: string, origin = url) {
  const visit = (path: string, options: FormOptions = {}) => requestPage(`${url}${path}`, options)
  const post = (path: string, options: FormOptions = {}) =>
    requestPage(`${url}${path}`, { method: 'POST', origin, ...options })

  /** Signs in, and returns the session's cookie, the token in its forms, and actions in the session. */
  async function signIn() {
    const { headers } = await post('/admin/sign-in', { form: { password: testPassword } })
    const [cookie = ''] = String(headers['set-cookie']).split(';')
    const { text } = await visit('/admin', { cookie })
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(text) ?? []
    return {
      cookie,
      token,
      /** Returns the text of a page. */
      see: async (path: string) => (await visit(path, { cookie })).text,
      submit: (path: string, fields: FormOptions['form'] = {}) =>
        post(path, { cookie, form: { token, ...fields } }),
    }
  }

  return { visit, post, signIn }
}

/** Shares a service with an admin page among the tests in a file. */
export function sharedAdmin(options: TestServiceOptions = {}) {
  const service = sharedService(
    { environment: adminEnvironment, ...options },
    async () => undefined,
  )

  // A minute later, earlier password attempts no longer count.
  beforeEach(() => service().clock.advance(60_000))

  return { service, admin: () => createAdmin(service().url) }
}

/** Returns the fields of the form for a new link. */
export const newLinkForm = (change: Readonly<Record<string, string>> = {}) => ({
  id: newLinkId(randomBytes),
  label: 'Crew',
  profile: 'members',
  feeds: 'all',
  ...change,
})

/** Returns the messages next to a form's fields. */
export const faultsIn = (page: string) =>
  [...page.matchAll(/role="alert">([^<]+)</g)].map(([, fault]) => fault)

/** Returns the revision that a page's form was read at. */
export const revisionIn = (page: string) => /name="revision" value="(\d+)"/.exec(page)?.[1] ?? ''
