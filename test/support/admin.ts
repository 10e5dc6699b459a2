import { randomBytes } from 'node:crypto'
import { request } from 'undici'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { newLinkId } from '../../src/links/stored-links.ts'
import { startTestService } from './service.ts'

export type FormOptions = {
  readonly form?: Readonly<Record<string, string>>
  readonly cookie?: string
  /** Origin of the page that contains the form. Defaults to the origin of the admin page. */
  readonly origin?: string
}

export const testPassword = 'correct horse battery'

export const adminEnvironment = { ADMIN_PASSWORD: testPassword }

/** Creates a client that uses the admin page like a browser without scripts and does not follow redirects. */
export function createAdmin(url: string) {
  async function send(path: string, method: 'GET' | 'POST', options: FormOptions) {
    const { form, cookie, origin } = options
    const { statusCode, headers, body } = await request(`${url}${path}`, {
      method,
      body: form ? new URLSearchParams(form).toString() : null,
      headers: {
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...(cookie === undefined ? {} : { cookie }),
        ...(origin === undefined ? {} : { origin }),
      },
    })
    return { status: statusCode, headers, text: await body.text() }
  }

  const visit = (path: string, options: FormOptions = {}) => send(path, 'GET', options)
  const post = (path: string, options: FormOptions = {}) =>
    send(path, 'POST', { origin: url, ...options })

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

/**
 * Starts a service with an admin page, shares it among the tests in a file, and stops it after the
 * last one.
 */
export function sharedAdmin(options: { readonly publicFeedIds?: readonly string[] } = {}) {
  let service: Awaited<ReturnType<typeof startTestService>>
  let admin: ReturnType<typeof createAdmin>

  beforeAll(async () => {
    service = await startTestService({ environment: adminEnvironment, ...options })
    admin = createAdmin(service.url)
  })

  afterAll(() => service[Symbol.asyncDispose]())

  // A minute later, earlier password attempts no longer count.
  beforeEach(() => service.clock.advance(60_000))

  return { service: () => service, admin: () => admin }
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
