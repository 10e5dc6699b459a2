import { readFileSync } from 'node:fs'
import { Agent, request } from 'undici'
import { onTestFinished } from 'vitest'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'

export type PageRequest = {
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly cookie?: string
  readonly origin?: string
  readonly form?: Readonly<Record<string, string | readonly string[]>>
}

type Limits = {
  readonly status?: 'Enabled' | 'Disabled'
  readonly endpoints?: readonly string[]
  readonly ips?: readonly string[]
}

/**
 * Creates a client that uses the sandbox's pages like a browser without scripts, but does not
 * follow redirects.
 */
export function createBrowser(sandbox: Sandbox) {
  const dispatcher = new Agent({ connect: { ca: readFileSync(sandbox.caFile) } })
  onTestFinished(() => dispatcher.destroy())
  return async (path: string, { method = 'GET', cookie, origin, form }: PageRequest = {}) => {
    const body = form && new URLSearchParams(Object.entries(form).flatMap(pairsOf)).toString()
    const response = await request(`${sandbox.url}${path}`, {
      method,
      dispatcher,
      body: body ?? null,
      headers: {
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...(cookie === undefined ? {} : { cookie }),
        ...(origin === undefined ? {} : { origin }),
      },
    })
    const { statusCode: status, headers } = response
    return { status, headers, html: await response.body.text() }
  }
}

/** Creates a client that is signed in as a manager. */
export async function createManager(sandbox: Sandbox) {
  const browse = createBrowser(sandbox)
  const password = sandbox.manager.password
  const signedIn = await browse('/manage/sign-in/', { method: 'POST', form: { password } })
  const [cookie = ''] = String(signedIn.headers['set-cookie']).split(';')
  const visit = (path: string, visit: PageRequest = {}) => browse(path, { cookie, ...visit })
  const post = (path: string, form: PageRequest['form'] = {}) =>
    visit(path, { method: 'POST', form, origin: sandbox.url })

  async function newTokenAt(location: string): Promise<string> {
    const { html } = await visit(location)
    return /<code>([\w-]{44})<\/code>/.exec(html)?.[1] ?? ''
  }

  return {
    cookie,
    visit,
    post,
    async addProject(name: string) {
      const { headers } = await post('/manage/api/', { name })
      const location = String(headers['location'])
      const id = Number(/(\d+)\/$/.exec(location)?.[1])
      return { id, refreshToken: await newTokenAt(location) }
    },
    async regenerate(id: number): Promise<string> {
      const { headers } = await post(`/manage/api/${id}/regenerate/`)
      return newTokenAt(String(headers['location']))
    },
    setProject: (id: number, { status = 'Enabled', endpoints, ips = [] }: Limits) =>
      post(`/manage/api/${id}/`, {
        name: 'demo',
        status,
        access: endpoints ? 'some' : 'all',
        endpoint: endpoints ?? [],
        ips: ips.join('\n'),
      }),
  }
}

function pairsOf([name, value]: [string, string | readonly string[]]): [string, string][] {
  return [value].flat().map((one) => [name, one])
}
