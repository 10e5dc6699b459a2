import { randomBytes } from 'node:crypto'
import { Router, type RequestHandler } from 'express'
import type { Clock } from '../../clock.ts'
import { CollectionUnavailable } from '../../collections/collection.ts'
import type { Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import type { FeedLink } from '../../links/feed-link.ts'
import type { EditedLink } from '../../links/link-edits.ts'
import type { LinkService } from '../../links/link-service.ts'
import { isLinkId, newLinkId, type AddedLink } from '../../links/stored-links.ts'
import { queryOf } from '../server/urls.ts'
import {
  formFromLink,
  linkFormFrom,
  readLinkForm,
  readLinkRules,
  type LinkForm,
} from './link-form.ts'
import { listAfter, readListView, type LinkChange } from './link-list.ts'
import type { LinkPages, ShownForm } from './link-pages.ts'
import { readLinkRows } from './link-rows.ts'
import type { MemberChoice } from './members.ts'
import { formOf } from './requests.ts'
import type { AdminContext } from './sign-in.ts'

const notAdded: Readonly<Record<Extract<AddedLink, { ok: false }>['reason'], string>> = {
  'too many':
    'The maximum number of feed links has been reached. Revoke links that are no longer needed.',
  'made already':
    'This link was already created, and its address was shown once. If you have lost it, revoke the link and create another.',
}

type NotEdited = Exclude<Extract<EditedLink, { ok: false }>['reason'], 'unknown'>

const notEdited: Readonly<Record<NotEdited, string>> = {
  'too many': notAdded['too many'],
  revoked: 'This link has been revoked in the meantime, so nothing was saved. Create a new link.',
  'changed meanwhile':
    'Somebody else has changed this link since you opened this page, so nothing was saved. Above are its current properties, and below are your changes. Save again to replace the current properties.',
}

const noMembers: Readonly<Record<CollectionUnavailable['kind'], string>> = {
  'not allowed':
    'The API Project may not read the members. Allow that on the website, or enter the member’s ID.',
  'not read yet':
    'The members could not be read from the website. Try again later, or enter the member’s ID.',
}

/** Actions on feed links. */
export type LinkActions = {
  readonly links: Pick<LinkService, 'add' | 'addAll' | 'get' | 'edit' | 'revoke'>
  /** Returns the members, if they have been read from the website. */
  readonly knownMembers: () => readonly MemberChoice[] | undefined
  /** Explains why a link does not show its member's own sign-ups, if it has a member. */
  readonly memberFault: (link: FeedLink) => string | undefined
  /** Reads the members from the website. Rejects with `CollectionUnavailable`. */
  readonly readMembers: () => Promise<void>
}

type Options = {
  readonly site: Pick<Site, 'publicUrl' | 'timeZone'>
  readonly feeds: readonly Pick<Feed, 'id'>[]
  readonly actions: LinkActions
  readonly pages: {
    readonly overview: (token: string, shown: ShownForm) => Promise<string>
  }
  readonly linkPages: LinkPages
  readonly clock: Pick<Clock, 'now'>
}

/** Serves the forms below `/admin/links`, which create, edit, pause and revoke feed links. */
export function linkRoutes(context: AdminContext, options: Options): Router {
  const { audit, home, tokenOf } = context
  const { actions, linkPages } = options
  const { links } = actions
  const router = Router({ caseSensitive: true, strict: true })
  router.post('/links', createLink(context, options))
  router.get('/links/list', (request, response) => {
    const view = readListView(queryOf(request.originalUrl))
    response.send(linkPages.list(tokenOf(request), { view }))
  })
  router.post('/links/list', createLinks(context, options))
  router.get('/links/:id', async (request, response, next) => {
    const { id } = request.params
    const stored = isLinkId(id) ? await links.get(id) : undefined
    if (!stored) return next()
    const view = readListView(queryOf(request.originalUrl))
    const form = formFromLink(stored.link, stored.revision, options.site.timeZone)
    response.send(linkPages.edit(tokenOf(request), stored.link, { form, view }))
  })
  router.post('/links/:id', saveLink(context, options))

  /** Changes a link with one button, and returns to the list. */
  const change =
    (
      done: LinkChange,
      act: (id: string) => Promise<FeedLink | undefined>,
    ): RequestHandler<{ id: string }> =>
    async (request, response, next) => {
      const link = await act(request.params.id)
      if (!link) return next()
      audit(request, `feed link ${done}`, { link: link.id })
      // Somebody else may have revoked the link in the meantime.
      const change = link.revokedAt === undefined ? done : 'revoked'
      home(response, listAfter(change, readListView(formOf(request))))
    }
  const setPaused = (isPaused: boolean) => async (id: string) => {
    const edited = await links.edit(id, { isPaused })
    // A link that was revoked in the meantime is listed as such.
    return edited.ok ? edited.link : (await links.get(id))?.link
  }
  router.post('/links/:id/pause', change('paused', setPaused(true)))
  router.post('/links/:id/resume', change('resumed', setPaused(false)))
  router.post('/links/:id/revoke', change('revoked', links.revoke))
  return router
}

/** Values for reading a form. */
function knownTo({ feeds, site, clock }: Options) {
  return { feedIds: feeds.map(({ id }) => id), timeZone: site.timeZone, now: clock.now() }
}

/** Returns true after handling the button that loads the members and shows the form again. */
async function loadMembers(
  { actions }: Options,
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

function createLink({ audit, tokenOf }: AdminContext, options: Options): RequestHandler {
  const { site, actions, pages, linkPages } = options
  return async (request, response) => {
    const sent = formOf(request)
    const form = linkFormFrom(sent)
    const view = readListView(sent)
    const showAgain = async (faults: readonly string[], shown: LinkForm = form) =>
      void response.send(await pages.overview(tokenOf(request), { form: shown, faults, view }))
    if (await loadMembers(options, sent, showAgain)) return
    const reading = readLinkForm(form, knownTo(options))
    if (!reading.ok) {
      response.status(400)
      return showAgain(reading.faults)
    }
    const added = await actions.links.add(reading.wish)
    if (!added.ok) {
      response.status(409)
      return showAgain([notAdded[added.reason]], { ...form, id: newLinkId(randomBytes) })
    }
    const { link, key } = added
    audit(request, 'feed link created', { link: link.id })
    const url = `${site.publicUrl}/l/${key}/`
    response.status(201).send(await linkPages.created(tokenOf(request), { link, url }))
  }
}

function createLinks({ audit, tokenOf }: AdminContext, options: Options): RequestHandler {
  const { site, actions, linkPages } = options
  return async (request, response) => {
    const sent = formOf(request)
    const form = linkFormFrom(sent)
    const view = readListView(sent)
    const showAgain = (faults: readonly string[], shown: LinkForm = form) =>
      void response.send(linkPages.list(tokenOf(request), { form: shown, faults, view }))
    if (await loadMembers(options, sent, showAgain)) return
    const known = knownTo(options)
    const rules = readLinkRules(form, known)
    const defaults = rules.ok
      ? rules.rules
      : { profile: 'members' as const, feedIds: undefined, expiresAt: undefined }
    const members = actions.knownMembers()
    const rows = readLinkRows(form.list, { ...known, defaults, members })
    const faults = [...(rules.ok ? [] : rules.faults), ...(rows.ok ? [] : rows.faults)]
    if (!isLinkId(form.id)) faults.push('Reload this page.')
    if (!rows.ok || faults.length > 0) {
      response.status(400)
      return showAgain(faults)
    }
    const result = await actions.links.addAll(rows.wishes, form.id)
    if (!result.ok) {
      response.status(409)
      const again = { ...form, id: newLinkId(randomBytes) }
      return showAgain([listNotAdded[result.reason]], again)
    }
    audit(request, 'feed links created', { links: String(result.added.length) })
    const cards = result.added.map(({ link, key }) => ({
      link,
      url: `${site.publicUrl}/l/${key}/`,
    }))
    response.status(201).send(await linkPages.cards(tokenOf(request), cards))
  }
}

const listNotAdded: typeof notAdded = {
  'too many':
    'This would be more than the maximum number of feed links, so none were created. Revoke links that are no longer needed, or shorten the list.',
  'made already':
    'These links were already created, and their addresses were shown once. If you have lost them, revoke the links and create others.',
}

function saveLink(
  { audit, home, tokenOf }: AdminContext,
  options: Options,
): RequestHandler<{ id: string }> {
  const { site, actions, linkPages } = options
  const { links } = actions
  return async (request, response, next) => {
    const { id } = request.params
    const stored = isLinkId(id) ? await links.get(id) : undefined
    if (!stored) return next()
    const sent = formOf(request)
    const form = { ...linkFormFrom(sent), id }
    const view = readListView(sent)
    const showAgain = (
      faults: readonly string[],
      { link, revision }: { readonly link: FeedLink; readonly revision?: number } = stored,
    ) => {
      const shown = revision === undefined ? form : { ...form, revision: String(revision) }
      response.send(linkPages.edit(tokenOf(request), link, { form: shown, faults, view }))
    }
    const keepRevision = (faults: readonly string[]) => showAgain(faults, { link: stored.link })
    if (await loadMembers(options, sent, keepRevision)) return
    const { expiresAt } = stored.link
    const reading = readLinkForm(form, { ...knownTo(options), timeZone: site.timeZone, expiresAt })
    if (!reading.ok) {
      response.status(400)
      return keepRevision(reading.faults)
    }
    const { id: _, ...edit } = reading.wish
    const edited = await links.edit(id, edit, Number(form.revision))
    if (edited.ok) {
      audit(request, 'feed link edited', { link: id })
      return home(response, listAfter('saved', view))
    }
    if (edited.reason === 'unknown') return next()
    response.status(409)
    showAgain([notEdited[edited.reason]], await links.get(id))
  }
}
