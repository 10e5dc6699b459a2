import { Router, type Request, type RequestHandler, type Response } from 'express'
import { members } from '../../feeds/catalog/members.ts'
import {
  contactsCsv,
  contactsVCard,
  memberContacts,
  telUri,
  type MemberContact,
} from '../../feeds/member-contacts.ts'
import { nameOf } from '../../feeds/site.ts'
import type { SiteContext } from '../context.ts'
import { contentDisposition } from '../feeds/content-disposition.ts'
import { noteUse, prefixes, viewerFrom } from '../feeds/viewer.ts'
import { BadOption, PrivateFeed } from '../server/errors.ts'
import { queryOf } from '../server/urls.ts'
import { readId } from './item-pages.ts'

const types = { vcf: 'text/vcard; charset=utf-8', csv: 'text/csv; charset=utf-8' }

/**
 * Serves the contact data of the members below links that include it. Nothing of it is kept in memory for
 * the front, which serves other feeds and pages.
 */
export function memberRoutes({ site, collections, render, clock }: SiteContext): Router {
  const router = Router({ caseSensitive: true, strict: true })

  type Show = (
    contacts: readonly MemberContact[],
    request: Request,
    response: Response,
  ) => string | undefined

  /** Handles requests of viewers who may read the members. Under other links, it throws `PrivateFeed`. */
  const forReaders =
    (show: Show, isPage = false): RequestHandler =>
    async (request, response, next) => {
      const { link, hasMembers } = viewerFrom(response, isPage ? 'overview' : 'file')
      if (!link || !hasMembers) throw new PrivateFeed(members, { hasLink: !!link })
      const collection = await collections.read(members.resource)
      response.set('Cache-Control', 'private, no-store')
      const body = show(memberContacts(collection, site), request, response)
      if (body === undefined) return next()
      if (!isPage) noteUse(link, clock.now(), request.headers['user-agent'])
      response.send(body)
    }

  const sendAll = (format: keyof typeof types) =>
    forReaders((contacts, request, response) => {
      const file = format === 'csv' ? contactsCsv(contacts) : cardsFrom(contacts, request)
      setFile(request, response, { title: `${nameOf(site)}: ${members.title}`, format })
      return file
    })

  const sendOne = forReaders((contacts, request, response) => {
    const id = readId(request.params['id'])
    const contact = contacts.find(({ memberId }) => memberId === id)
    if (!contact) return undefined
    const file = cardsFrom([contact], request)
    setFile(request, response, { title: contact.fullName, format: 'vcf' })
    return file
  })

  const showPage = forReaders((contacts) => render('members', { contacts, telUri }), true)

  for (const prefix of prefixes) {
    router.get(`${prefix}/${members.id}.vcf`, sendAll('vcf'))
    router.get(`${prefix}/${members.id}.csv`, sendAll('csv'))
    router.get(`${prefix}/${members.id}/:id.vcf`, sendOne)
    router.get(`${prefix}/${members.id}`, showPage)
  }
  return router
}

/** Renders vCards. Throws `BadOption` for an unknown version. */
function cardsFrom(contacts: readonly MemberContact[], { originalUrl }: Request): string {
  const cards = contactsVCard(contacts, queryOf(originalUrl).get('version') ?? '3')
  if (cards === undefined) throw new BadOption('version must be 3 or 4.')
  return cards
}

function setFile(
  { originalUrl }: Request,
  response: Response,
  { title, format }: { readonly title: string; readonly format: keyof typeof types },
): void {
  const download = queryOf(originalUrl).get('download') ?? '0'
  if (!['0', '1'].includes(download)) throw new BadOption('download must be 0 or 1.')
  response.set({
    'Content-Type': types[format],
    'Content-Disposition': contentDisposition(title, format, { isDownload: download === '1' }),
  })
}
