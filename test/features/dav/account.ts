import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { parseXml, type Element } from '../../../src/features/dav/xml.ts'
import { editLink, revokeLink, type LinkEdit } from '../../../src/links/link-edits.ts'
import { storedLinks, type NewLink } from '../../../src/links/stored-links.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { assertWellFormed } from '../../support/well-formed.ts'
import {
  startTestService,
  temporaryDirectory,
  type TestServiceOptions,
} from '../../support/service.ts'

/** A response of a DAV server, with its results by URL. */
export type DavResponse = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly responses: readonly {
    readonly href: string
    readonly status: string
    readonly props: string
  }[]
  readonly token: string
}

/** Starts a service that offers feed links as accounts. */
export async function startDavService(options: TestServiceOptions = {}) {
  const resources = new AsyncDisposableStack()
  const file = join(resources.use(temporaryDirectory()).path, 'store.sqlite')
  const service = resources.use(
    await startTestService({
      publicFeedIds: ['events'],
      ...options,
      environment: { DAV: 'yes', ...options.environment },
      storeFileIn: () => file,
    }),
  )
  const context = () => ({ now: service.clock.now(), random: randomBytes })

  /** Adds a link, and returns its account. */
  async function addAccount(wish: Partial<NewLink> = {}) {
    const label = `Link ${randomBytes(4).toString('hex')}`
    const [, key = ''] = /\/l\/([^/]+)/.exec(await service.addLink({ ...wish, label })) ?? []
    await using store = openSqliteStore(file, service.clock.now)
    const { id = '' } =
      (await storedLinks(store.documents)).find((each) => each.label === label) ?? {}
    const account = {
      id,
      key,
      label,
      authorization: `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}`,
    }

    async function send(
      method: string,
      path: string,
      body?: string,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<DavResponse> {
      const response = await fetch(new URL(path, service.url), {
        method,
        redirect: 'manual',
        headers: { Authorization: account.authorization, ...headers },
        ...(body === undefined ? {} : { body }),
      })
      const text = await response.text()
      const { status, headers: received } = response
      return { status, headers: received, text, ...(await readMultistatus(text)) }
    }

    /** Edits the link as another process would, and waits for one poll. */
    async function edit(changes: LinkEdit | 'revoke'): Promise<void> {
      await using opened = openSqliteStore(file, service.clock.now)
      const { documents } = opened
      if (changes === 'revoke') await revokeLink(documents, id, context())
      else await editLink(documents, id, changes, context())
      await service.clock.advance(2_000)
    }

    const find = (path: string, depth: '0' | '1', ...props: readonly string[]) =>
      send('PROPFIND', path, props.length === 0 ? undefined : propfind(...props), { Depth: depth })
    return { ...account, send, edit, find, root: '/dav/', calendars: `/dav/${id}/calendars/` }
  }

  return { ...service, addAccount, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

const declared =
  'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:A="urn:ietf:params:xml:ns:carddav" xmlns:CS="http://calendarserver.org/ns/" xmlns:I="http://apple.com/ns/ical/"'

const propOf = (props: readonly string[]) =>
  `<D:prop>${props.map((name) => `<${name}/>`).join('')}</D:prop>`

export function propfind(...props: readonly string[]): string {
  return `<D:propfind ${declared}>${propOf(props)}</D:propfind>`
}

export function syncFrom(token: string, ...props: readonly string[]): string {
  return `<D:sync-collection ${declared}><D:sync-token>${token}</D:sync-token><D:sync-level>1</D:sync-level>${propOf(props)}</D:sync-collection>`
}

/** Returns a REPORT body with these properties and other content. */
export function report(name: string, props: readonly string[], content: string): string {
  return `<${name} ${declared}>${propOf(props)}${content}</${name}>`
}

function textIn(element: Element): string {
  return element.text + element.children.map(textIn).join('')
}

function named(element: Element | undefined, local: string): readonly Element[] {
  return element?.children.filter((child) => child.local === local) ?? []
}

async function readMultistatus(text: string): Promise<Pick<DavResponse, 'responses' | 'token'>> {
  if (text.startsWith('<?xml')) assertWellFormed(text)
  const [start = ''] = /<D:multistatus[^>]*>/.exec(text) ?? []
  // One by one, because the parser is for requests, which have few elements.
  const parts = text.match(/<D:response>.*?<\/D:response>/gs) ?? []
  const reads = parts.map(async (part) => {
    const [response] = named(await parseXml(`${start}${part}</D:multistatus>`), 'response')
    const [href] = named(response, 'href')
    const [stat = response] = named(response, 'propstat')
    const [status] = named(stat, 'status')
    const [prop] = named(stat, 'prop')
    return {
      href: href?.text ?? '',
      status: status?.text.split(' ')[1] ?? '',
      props: prop ? textIn(prop) : '',
    }
  })
  const [, token = ''] = /<D:sync-token>([^<]*)<\/D:sync-token><\/D:multistatus>$/.exec(text) ?? []
  return { responses: await Promise.all(reads), token }
}
