import { Router, type RequestHandler } from 'express'
import type { FeedLink } from '../../links/feed-link.ts'
import type { EditedLink } from '../../links/link-edits.ts'
import { queryOf } from '../server/urls.ts'
import { formFromLink, linkFormFrom, readLinkForm } from './link-form.ts'
import { renewLink } from './link-renewal.ts'
import { listAfter, readListView, type LinkChange } from './link-list.ts'
import { knownTo, loadMembers, notAdded, storedLink } from './new-link-routes.ts'
import { formOf } from './requests.ts'
import type { AdminContext } from './sign-in.ts'

type NotEdited = Exclude<Extract<EditedLink, { ok: false }>['reason'], 'unknown'>

const notEdited: Readonly<Record<NotEdited, string>> = {
  'too many': notAdded['too many'],
  revoked: 'This link has been revoked in the meantime, so nothing was saved. Create a new link.',
  'changed meanwhile':
    'Somebody else has changed this link since you opened this page, so nothing was saved. Above are its current properties, and below are your changes. Save again to replace the current properties.',
}

/** Serves the forms below `/admin/links`, which create, edit, pause and revoke feed links. */
export function linkRoutes(context: AdminContext): Router {
  const { site, actions, linkPages, audit, home, tokenOf } = context
  const { links } = actions
  const router = Router({ caseSensitive: true, strict: true })
  router.get('/links/:id', async (request, response, next) => {
    const { id } = request.params
    const stored = await storedLink(links, id)
    if (!stored) return next()
    const view = readListView(queryOf(request.originalUrl))
    const form = formFromLink(stored.link, stored.revision, site.timeZone)
    response.send(linkPages.edit(tokenOf(request), stored.link, { form, view }))
  })
  router.post('/links/:id', saveLink(context))

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
  router.post('/links/:id/renew', renewLink(context))
  router.post('/links/:id/pause', change('paused', setPaused(true)))
  router.post('/links/:id/resume', change('resumed', setPaused(false)))
  router.post('/links/:id/revoke', change('revoked', links.revoke))
  return router
}

function saveLink(context: AdminContext): RequestHandler<{ id: string }> {
  const { site, actions, linkPages, audit, home, tokenOf } = context
  const { links } = actions
  return async (request, response, next) => {
    const { id } = request.params
    const stored = await storedLink(links, id)
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
    if (await loadMembers(context, sent, keepRevision)) return
    const { expiresAt } = stored.link
    const reading = readLinkForm(form, { ...knownTo(context), timeZone: site.timeZone, expiresAt })
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
    showAgain([notEdited[edited.reason]], await storedLink(links, id))
  }
}
