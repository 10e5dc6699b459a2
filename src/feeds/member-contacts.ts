import { uidOf } from '../calendar/entry-recipe.ts'
import { renderVCard, type Contact, type PhoneType, type VCardVersion } from '../calendar/vcard.ts'
import { oneLine } from '../text/plain-text.ts'
import type { RecordOf } from '../records/read-records.ts'
import { renderCsv } from '../text/csv.ts'
import { compareText } from '../text/text.ts'
import type { FeedSource } from './feed.ts'
import type { LinkNotice } from './link-notice.ts'
import { feedMessages } from './messages.ts'
import type { FeedMessages } from './messages/en.ts'
import type { Site } from './site.ts'

type Member = RecordOf['members/contacts']

export type MemberContact = Contact & { readonly memberId: number }

/** Returns the contact data of all members, sorted by name. */
export function memberContacts(
  { records, ledger, changedAt }: FeedSource<'members/contacts'>,
  site: Site,
): readonly MemberContact[] {
  const organization = site.name
  return records
    .map((member) => ({
      ...contactFrom(member, site.language),
      memberId: member.id,
      uid: uidOf('members', member.id, site.idHost),
      changedAt: ledger.get(member.id)?.changedAt ?? changedAt,
      organization,
    }))
    .toSorted(
      (a, b) =>
        compareText(a.lastName, b.lastName) ||
        compareText(a.firstName, b.firstName) ||
        a.memberId - b.memberId,
    )
}

function contactFrom(member: Member, language: string) {
  const firstName = oneLine(member.firstName)
  const middleName = oneLine(member.middleInitial)
  const lastName = oneLine(member.lastName)
  const names = [firstName, middleName, lastName].filter((name) => name !== '')
  return {
    firstName,
    middleName,
    lastName,
    fullName: names.join(' ') || feedMessages(language).contacts.unnamed(member.id),
    title: oneLine(member.rank),
    phones: phonesOf(member),
    email: oneLine(member.email),
    address: {
      extended: oneLine(member.address2),
      street: oneLine(member.address1),
      city: oneLine(member.city),
      region: oneLine(member.state),
      postalCode: oneLine(member.zip),
    },
  }
}

function phonesOf(member: Member): Contact['phones'] {
  const phones = [
    [member.phone1, member.phone1Type],
    [member.phone2, member.phone2Type],
    [member.phone3, member.phone3Type],
  ] as const
  return phones.flatMap(([phone, type]) => {
    const number = oneLine(phone)
    return number === '' ? [] : [{ number, type: phoneTypeFrom(type) }]
  })
}

/**
 * Returns the URI that calls a number, without its extension, or undefined for text without a
 * number.
 */
export function telUri(number: string): string | undefined {
  const [beforeExtension = ''] = number.split(/[,;]|(?<=\d[\s.)-]{0,9})(?:ext|x|#)/i)
  const dialed = beforeExtension.replaceAll(/(?!^\+)\D/g, '')
  return dialed === '' ? undefined : `tel:${dialed}`
}

/** Converts the website's name of a type to the type used by address books. */
function phoneTypeFrom(name: string): PhoneType {
  if (/fax/i.test(name)) return 'FAX'
  if (/pager/i.test(name)) return 'PAGER'
  if (/cell|mobile/i.test(name)) return 'CELL'
  if (/home/i.test(name)) return 'HOME'
  return /work|office|business/i.test(name) ? 'WORK' : 'VOICE'
}

const vCardVersions = new Map<string, VCardVersion>([
  ['3', '3.0'],
  ['4', '4.0'],
])

/** Renders contacts as vCards of version `3` or `4`. Returns undefined for any other version. */
export function contactsVCard(
  contacts: readonly Contact[],
  versionName: string,
): string | undefined {
  const version = vCardVersions.get(versionName)
  return version && contacts.map((contact) => renderVCard(contact, version)).join('')
}

/** Returns the contact that replaces the members while a link is paused or has ended. */
export function noticeContact({ id, title, text, changedAt }: LinkNotice, site: Site): Contact {
  return {
    uid: `${id}@${site.idHost}`,
    changedAt,
    fullName: title,
    firstName: '',
    middleName: '',
    lastName: title,
    organization: site.name,
    title: '',
    phones: [],
    email: '',
    address: { extended: '', street: '', city: '', region: '', postalCode: '' },
    note: text,
  }
}

type Labels = FeedMessages['contacts']

/** Google Contacts import columns, with their values. */
const columns: Readonly<Record<string, (contact: Contact, labels: Labels) => string>> = {
  'First Name': ({ firstName }) => firstName,
  'Middle Name': ({ middleName }) => middleName,
  'Last Name': ({ lastName }) => lastName,
  'Organization Name': ({ organization }) => organization,
  'Organization Title': ({ title }) => title,
  'E-mail 1 - Label': ({ email }, labels) => (email === '' ? '' : labels.email),
  'E-mail 1 - Value': ({ email }) => email,
  ...phoneColumns(1),
  ...phoneColumns(2),
  ...phoneColumns(3),
  'Address 1 - Label': ({ address }, labels) =>
    Object.values(address).some((part) => part !== '') ? labels.address : '',
  'Address 1 - Street': ({ address }) => address.street,
  'Address 1 - Extended Address': ({ address }) => address.extended,
  'Address 1 - City': ({ address }) => address.city,
  'Address 1 - Region': ({ address }) => address.region,
  'Address 1 - Postal Code': ({ address }) => address.postalCode,
}

function phoneColumns(number: number): typeof columns {
  const phoneOf = ({ phones }: Contact) => phones[number - 1]
  return {
    [`Phone ${number} - Label`]: (contact, labels) => {
      const phone = phoneOf(contact)
      return phone ? labels.phones[phone.type] : ''
    },
    [`Phone ${number} - Value`]: (contact) => phoneOf(contact)?.number ?? '',
  }
}

/** Renders contacts as a spreadsheet (RFC 4180), in the columns that Google Contacts imports. */
export function contactsCsv(contacts: readonly Contact[], language: string): string {
  const labels = feedMessages(language).contacts
  const valuesOf = (contact: Contact) =>
    Object.values(columns).map((valueOf) => valueOf(contact, labels))
  return renderCsv([Object.keys(columns), ...contacts.map(valuesOf)])
}
