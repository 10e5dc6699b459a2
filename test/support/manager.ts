import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { requestPage, type PageRequest } from './page-request.ts'
import { agentFor } from './sandbox.ts'

type Limits = {
  readonly status?: 'Enabled' | 'Disabled'
  readonly endpoints?: readonly string[]
  readonly ips?: readonly string[]
}

/** Creates a client for the sandbox's pages. */
export function createBrowser(sandbox: Sandbox) {
  const dispatcher = agentFor(sandbox)
  return async (path: string, options: PageRequest = {}) => {
    const { text, ...response } = await requestPage(`${sandbox.url}${path}`, options, dispatcher)
    return { ...response, html: text }
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
    addProject: async (name: string) => {
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
