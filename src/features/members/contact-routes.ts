import type { RequestHandler, Response } from 'express'
import { members } from '../../feeds/catalog/members.ts'
import {
  contactsCsv,
  contactsVCard,
  memberContacts,
  telUri,
  type MemberContact,
} from '../../feeds/member-contacts.ts'
import { feedMessages } from '../../feeds/messages.ts'
import { siteOf } from '../../web/context.ts'
import { contentDisposition, readDownload } from '../../web/content-disposition.ts'
import { noteUse, viewerFrom } from '../../web/viewer.ts'
import { BadOption, PrivateFeed, type RouteKind } from '../../web/errors.ts'
import { queryOf, readId } from '../../web/urls.ts'
import { pageRequest } from '../../web/page-handler.ts'

const types = { vcf: 'text/vcard; charset=utf-8', csv: 'text/csv; charset=utf-8' }

/** Throws `PrivateFeed` for viewers who may not read the members. */
async function contactsFor(response: Response, kind: RouteKind) {
  const { collections, site } = siteOf(response)
  const { link, hasMembers } = viewerFrom(response, kind)
  if (!link || !hasMembers) throw new PrivateFeed(members, link)
  return { link, contacts: memberContacts(await collections.read(members.resource), site) }
}

/** Sends a file with all contacts, or with the contact in the URL. The front never caches it. */
const sendFile =
  (format: keyof typeof types): RequestHandler =>
  async (request, response, next) => {
    const { site, clock } = siteOf(response)
    const { link, contacts } = await contactsFor(response, 'file')
    const { id } = request.params
    const shown = contacts.filter(({ memberId }) => id === undefined || memberId === readId(id))
    const [first] = shown
    if (id !== undefined && !first) return next()
    const { titled } = feedMessages(site.language)
    const title =
      id === undefined ? titled(site.name, members.textIn(site.language).title) : first?.fullName
    const query = queryOf(request.originalUrl)
    const isDownload = readDownload(query)
    const file = format === 'csv' ? contactsCsv(shown, site.language) : cardsFrom(shown, query)
    noteUse(link, clock.now(), request.headers['user-agent'])
    const disposition = contentDisposition(title ?? '', format, { isDownload })
    response.set({ 'Content-Type': types[format], 'Content-Disposition': disposition })
    response.send(file)
  }

export const sendCards = sendFile('vcf')

export const sendCsv = sendFile('csv')

export const sendMembers: RequestHandler = async (request, response) => {
  const { render } = pageRequest(request, response, { kind: 'overview' })
  const { contacts } = await contactsFor(response, 'overview')
  response.send(render('members/members', { contacts, telUri }))
}

function cardsFrom(contacts: readonly MemberContact[], query: URLSearchParams): string {
  const cards = contactsVCard(contacts, query.get('version') ?? '3')
  if (cards === undefined) throw new BadOption('version must be 3 or 4.')
  return cards
}
