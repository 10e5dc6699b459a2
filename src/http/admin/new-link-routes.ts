import { randomBytes } from 'node:crypto'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import { CollectionUnavailable } from '../../collections/collection.ts'
import type { FeedLink } from '../../links/feed-link.ts'
import type { LinkService } from '../../links/link-service.ts'
import { isLinkId, newLinkId, type AddedLink } from '../../links/stored-links.ts'
import { withFallback } from '../../store/store-error.ts'
import { queryOf } from '../server/urls.ts'
import { linkFormFrom, readLinkForm, readLinkRules, type LinkForm } from './link-form.ts'
import { readListView } from './link-list.ts'
import { readLinkRows } from './link-rows.ts'
import type { MemberChoice } from './members.ts'
import { formOf } from './requests.ts'
import type { AdminContext } from './sign-in.ts'

export const notAdded: Readonly<Record<Extract<AddedLink, { ok: false }>['reason'], string>> = {
  'too many':
    'The maximum number of feed links has been reached. Revoke links that are no longer needed.',
  'made already':
    'This link was already created, and its address was shown once. If you have lost it, revoke the link and create another.',
}

const listNotAdded: typeof notAdded = {
  'too many':
    'This would be more than the maximum number of feed links, so none were created. Revoke links that are no longer needed, or shorten the list.',
  'made already':
    'These links were already created, and their addresses were shown once. If you have lost them, revoke the links and create others.',
}

const noMembers: Readonly<Record<CollectionUnavailable['kind'], string>> = {
  'not allowed':
    'The API Project may not read the members. Allow that on the website, or enter the member’s ID.',
  'not read yet':
    'The members could not be read from the website. Try again later, or enter the member’s ID.',
}

/** Actions on feed links. */
export type LinkActions = {
  readonly links: LinkService
  /** Returns the members, if they have been read from the website. */
  readonly knownMembers: () => readonly MemberChoice[] | undefined
  /** Explains why a link does not show its member's own sign-ups, if it has a member. */
  readonly memberFault: (link: FeedLink) => string | undefined
  /** Reads the members from the website. Rejects with `CollectionUnavailable`. */
  readonly readMembers: () => Promise<void>
}

/** Serves the forms that create feed links. */
export function newLinkRoutes(context: AdminContext): Router {
  const { linkPages } = context
  const router = Router({ caseSensitive: true, strict: true })
  for (const page of ['create', 'list'] as const) {
    const path = page === 'create' ? '/links/new' : '/links/list'
    router.get(path, (request, response) => {
      const view = readListView(queryOf(request.originalUrl))
      response.send(linkPages[page](context.tokenOf(request), { view }))
    })
  }
  router.post('/links', createLink(context))
  router.post('/links/list', createLinks(context))
  return router
}

/** Returns a link with its revision and the apps that use it; undefined for an unknown id. */
export async function storedLink(links: LinkActions['links'], id: string) {
  const stored = isLinkId(id) ? await links.get(id) : undefined
  if (!stored) return undefined
  const fetches = await withFallback(
    async () => links.byId(id)?.fetches(),
    () => undefined,
  )
  return { ...stored, link: { ...stored.link, fetches } }
}

/** Values for reading a form. */
export function knownTo({ catalog, site, clock }: AdminContext) {
  return {
    feedIds: catalog.linkFeeds.map(({ id }) => id),
    timeZone: site.timeZone,
    now: clock.now(),
  }
}

/** Returns true after handling the button that loads the members and shows the form again. */
export async function loadMembers(
  { actions }: AdminContext,
  sent: URLSearchParams,
  showAgain: (faults: readonly string[]) => Promise<void> | void,
): Promise<boolean> {
  if (sent.get('action') !== 'members') return false
  try {
    await actions.readMembers()
    await showAgain([])
  } catch (error) {
    if (!(error instanceof CollectionUnavailable)) throw error
    await showAgain([noMembers[error.kind]])
  }
  return true
}

type SubmittedForm = {
  readonly request: Request
  readonly response: Response
  readonly form: LinkForm
  /** Shows the form again, with its faults. */
  readonly refuse: (status: number, faults: readonly string[], shown?: LinkForm) => void
}

/** Handles a form on one of the pages. Loads the members instead if the form asks for them. */
function onForm(
  page: 'create' | 'list',
  context: AdminContext,
  work: (submitted: SubmittedForm) => Promise<void>,
): RequestHandler {
  return async (request, response) => {
    const sent = formOf(request)
    const form = linkFormFrom(sent)
    const view = readListView(sent)
    const showAgain = (faults: readonly string[], shown: LinkForm = form) =>
      void response.send(
        context.linkPages[page](context.tokenOf(request), { form: shown, faults, view }),
      )
    if (await loadMembers(context, sent, showAgain)) return
    const refuse: SubmittedForm['refuse'] = (status, faults, shown) => {
      response.status(status)
      showAgain(faults, shown)
    }
    await work({ request, response, form, refuse })
  }
}

function createLink(context: AdminContext): RequestHandler {
  const { site, actions, linkPages } = context
  return onForm('create', context, async ({ request, response, form, refuse }) => {
    const reading = readLinkForm(form, knownTo(context))
    if (!reading.ok) return refuse(400, reading.faults)
    const added = await actions.links.add(reading.wish)
    if (!added.ok) return refuse(409, [notAdded[added.reason]], withNewId(form))
    const { link, key } = added
    context.audit(request, 'feed link created', { link: link.id })
    const url = `${site.publicUrl}/l/${key}/`
    response.status(201).send(await linkPages.created(context.tokenOf(request), { link, url }))
  })
}

function createLinks(context: AdminContext): RequestHandler {
  const { site, actions, linkPages } = context
  return onForm('list', context, async ({ request, response, form, refuse }) => {
    const known = knownTo(context)
    const rules = readLinkRules(form, known)
    const defaults = rules.ok
      ? rules.rules
      : { profile: 'members' as const, feedIds: undefined, expiresAt: undefined }
    const members = actions.knownMembers()
    const rows = readLinkRows(form.list, { ...known, defaults, members })
    const faults = [...(rules.ok ? [] : rules.faults), ...(rows.ok ? [] : rows.faults)]
    if (!isLinkId(form.id)) faults.push('Reload this page.')
    if (!rows.ok || faults.length > 0) return refuse(400, faults)
    const result = await actions.links.addAll(rows.wishes, form.id)
    if (!result.ok) return refuse(409, [listNotAdded[result.reason]], withNewId(form))
    context.audit(request, 'feed links created', { links: String(result.added.length) })
    const cards = result.added.map(({ link, key }) => ({
      link,
      url: `${site.publicUrl}/l/${key}/`,
    }))
    response.status(201).send(await linkPages.cards(context.tokenOf(request), cards))
  })
}

function withNewId(form: LinkForm): LinkForm {
  return { ...form, id: newLinkId(randomBytes) }
}
