import { randomBytes } from 'node:crypto'
import { CollectionUnavailable } from '../../collections/collection.ts'
import { readExpiry, type FeedLink } from '../../links/feed-link.ts'
import type { LinkService } from '../../links/link-service.ts'
import { isLinkId, newLinkId } from '../../links/stored-links.ts'
import { withFallback } from '../../store/store-error.ts'
import type { AdminContext, AdminPages } from './admin-context.ts'
import {
  endOfOverlap,
  formFromLink,
  linkFormFrom,
  overlapDays,
  readLinkForm,
  readLinkRules,
} from './link-form.ts'
import { changeIn, listAfter, readListView, type LinkChange } from './link-list.ts'
import { linkPages } from './link-pages.ts'
import { readLinkRows } from './link-import.ts'

const urlOf = ({ publicUrl }: AdminContext, key: string) => `${publicUrl}/l/${key}/`

const known = ({ catalog, site, clock, texts }: AdminContext) => ({
  texts: texts.links,
  feedIds: catalog.linkFeeds.map(({ id }) => id),
  timeZone: site.timeZone,
  now: clock.now(),
})

/** Returns a link with its revision and the apps that use it, or undefined for an unknown id. */
async function storedLink({ actions }: AdminContext, id: string) {
  const { links } = actions
  const stored = isLinkId(id) ? await links.get(id) : undefined
  if (!stored) return undefined
  const fetches = await withFallback(async () => links.byId(id)?.fetches())
  return { ...stored, link: { ...stored.link, fetches } }
}

/** Loads the members if the button for that was pressed. Returns undefined for other buttons. */
async function faultsAfterLoading(
  { collections, texts }: AdminContext,
  sent: URLSearchParams,
): Promise<readonly string[] | undefined> {
  if (sent.get('action') !== 'members') return undefined
  try {
    // The schedule reads the members only while a link is for a member.
    await collections.readDue('members')
    await collections.read('members')
    return []
  } catch (error) {
    if (!(error instanceof CollectionUnavailable)) throw error
    return [texts.links.faults.noMembers[error.kind]]
  }
}

const setPaused = (isPaused: boolean) => async (links: LinkService, id: string) => {
  const edited = await links.edit(id, { isPaused })
  // A link that was revoked in the meantime is listed as such.
  return edited.ok ? edited.link : (await links.get(id))?.link
}

/** Serves the list of feed links, and the forms that create, edit, renew, pause and revoke them. */
export function linkRoutes(pages: AdminPages): void {
  creatingRoutes(pages)
  editingRoutes(pages)
  renewingRoutes(pages)
  buttonRoutes(pages)
}

function creatingRoutes({ page, form }: AdminPages): void {
  page('', async (admin, query) => {
    const { links } = admin.actions
    const [status, listed] = await Promise.all([admin.status(), withFallback(links.list)])
    const list = linkPages(admin).list(listed, readListView(query))
    return { template: 'admin/links', shown: { status, change: changeIn(query), ...list } }
  })

  page('/links/new', (admin, query) => linkPages(admin).create({ view: readListView(query) }))

  form('/links', async (admin, sent, _id, query) => {
    const pages = linkPages(admin)
    const shown = { form: linkFormFrom(sent), view: readListView(query) }
    const loaded = await faultsAfterLoading(admin, sent)
    if (loaded) return pages.create({ ...shown, faults: loaded })
    const reading = readLinkForm(shown.form, known(admin))
    if (!reading.ok) return { ...pages.create({ ...shown, faults: reading.faults }), status: 400 }
    const added = await admin.actions.links.add(reading.wish)
    if (!added.ok) {
      const again = { ...shown, form: { ...shown.form, id: newLinkId(randomBytes) } }
      const { faults: texts } = admin.texts.links
      return { ...pages.create({ ...again, faults: [texts.notAdded[added.reason]] }), status: 409 }
    }
    const { link, key } = added
    const created = await pages.created({ link, url: urlOf(admin, key) })
    return { ...created, status: 201, done: 'feed link created', about: { link: link.id } }
  })

  page('/links/list', (admin, query) => linkPages(admin).createMany({ view: readListView(query) }))

  form('/links/list', async (admin, sent, _id, query) => {
    const pages = linkPages(admin)
    const shown = { form: linkFormFrom(sent), view: readListView(query) }
    const loaded = await faultsAfterLoading(admin, sent)
    if (loaded) return pages.createMany({ ...shown, faults: loaded })
    const { id, list } = shown.form
    const rules = readLinkRules(shown.form, known(admin))
    const usual = { profile: 'members', feedIds: undefined, expiresAt: undefined } as const
    const defaults = rules.ok ? rules.rules : usual
    const rows = readLinkRows(list, { ...known(admin), defaults, members: pages.knownMembers() })
    const faults = [...(rules.ok ? [] : rules.faults), ...(rows.ok ? [] : rows.faults)]
    if (!isLinkId(id)) faults.push(admin.texts.links.faults.id)
    if (!rows.ok || faults.length > 0) {
      return { ...pages.createMany({ ...shown, faults }), status: 400 }
    }
    const result = await admin.actions.links.addAll(rows.wishes, id)
    if (!result.ok) {
      const again = { ...shown, form: { ...shown.form, id: newLinkId(randomBytes) } }
      const notCreated = [admin.texts.links.faults.listNotAdded[result.reason]]
      return { ...pages.createMany({ ...again, faults: notCreated }), status: 409 }
    }
    const added = result.added.map(({ link, key }) => ({ link, url: urlOf(admin, key) }))
    const about = { links: String(added.length) }
    return { ...(await pages.cards(added)), status: 201, done: 'feed links created', about }
  })
}

function editingRoutes({ page, form }: AdminPages): void {
  page('/links/:id', async (admin, query, id) => {
    const stored = await storedLink(admin, id)
    if (!stored) return undefined
    const fields = formFromLink(stored.link, stored.revision, admin.site.timeZone)
    return linkPages(admin).edit(stored.link, { form: fields, view: readListView(query) })
  })

  form('/links/:id', async (admin, sent, id, query) => {
    const pages = linkPages(admin)
    const stored = await storedLink(admin, id)
    if (!stored) return undefined
    const view = readListView(query)
    const shown = { form: { ...linkFormFrom(sent), id }, view }
    const loaded = await faultsAfterLoading(admin, sent)
    if (loaded) return pages.edit(stored.link, { ...shown, faults: loaded })
    const { expiresAt } = stored.link
    const reading = readLinkForm(shown.form, { ...known(admin), expiresAt })
    if (!reading.ok) {
      return { ...pages.edit(stored.link, { ...shown, faults: reading.faults }), status: 400 }
    }
    const { id: _, ...edit } = reading.wish
    const edited = await admin.actions.links.edit(id, edit, Number(shown.form.revision))
    if (edited.ok) {
      return { done: 'feed link edited', about: { link: id }, redirect: listAfter('saved', view) }
    }
    if (edited.reason === 'unknown') return undefined
    const { link, revision } = (await storedLink(admin, id)) ?? stored
    const again = { ...shown, form: { ...shown.form, revision: String(revision) } }
    const { notAdded, notEdited } = admin.texts.links.faults
    const fault = { ...notAdded, ...notEdited }[edited.reason]
    return { ...pages.edit(link, { ...again, faults: [fault] }), status: 409 }
  })
}

function renewingRoutes({ form }: AdminPages): void {
  form('/links/:id/renew', async (admin, sent, id, query) => {
    const pages = linkPages(admin)
    const { faults: texts } = admin.texts.links
    const renewal = { overlap: sent.get('overlap') ?? '', lastDay: sent.get('last-day') ?? '' }
    const refused = async (status: number, renewalFault: string) => {
      const stored = await storedLink(admin, id)
      if (!stored) return undefined
      const fields = formFromLink(stored.link, stored.revision, admin.site.timeZone)
      const shown = { form: fields, view: readListView(query) }
      return { ...pages.edit(stored.link, shown, renewal, renewalFault), status }
    }
    if (!overlapDays.some((days) => String(days) === renewal.overlap)) {
      return refused(400, texts.overlap)
    }
    const day = renewal.lastDay.trim()
    const expiresAt = readExpiry(day, known(admin))
    if (day !== '' && expiresAt === undefined) {
      return refused(400, texts.expires)
    }
    const oldEndsAt = endOfOverlap(renewal.overlap, known(admin))
    const revision = Number(sent.get('revision'))
    const renewed = await admin.actions.links.renew(id, { expiresAt, oldEndsAt, revision })
    if (!renewed.ok) {
      const faults = { ...texts.notAdded, ...texts.notRenewed }
      return renewed.reason === 'unknown' ? undefined : refused(409, faults[renewed.reason])
    }
    const { link, key, old } = renewed
    const created = await pages.created({ link, url: urlOf(admin, key), old })
    const about = { link: id, by: link.id }
    return { ...created, status: 201, done: 'feed link renewed', about }
  })
}

function buttonRoutes({ form }: AdminPages): void {
  /** Serves a button that changes a link and returns to the list. */
  function button(
    action: string,
    done: LinkChange,
    change: (links: LinkService, id: string) => Promise<FeedLink | undefined>,
  ): void {
    form(`/links/:id/${action}`, async ({ actions }, _sent, id, query) => {
      const link = await change(actions.links, id)
      if (!link) return undefined
      // Someone else may have revoked the link in the meantime.
      const shown = link.revokedAt === undefined ? done : 'revoked'
      const redirect = listAfter(shown, readListView(query))
      return { done: `feed link ${done}`, about: { link: id }, redirect }
    })
  }
  button('pause', 'paused', setPaused(true))
  button('resume', 'resumed', setPaused(false))
  button('revoke', 'revoked', (links, id) => links.revoke(id))
}
