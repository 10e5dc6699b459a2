import { uidOf } from '../calendar/entry-recipe.ts'
import { renderVCard, type Contact, type PhoneType, type VCardVersion } from '../calendar/vcard.ts'
import { oneLine } from '../records/plain-text.ts'
import type { RecordOf } from '../records/read-records.ts'
import { compareText } from '../records/text.ts'
import type { FeedSource } from './feed.ts'
import { nameOf, type Site } from './site.ts'

type Member = RecordOf['members/contacts']

/** A member's contact data, with the id of the member. */
export type MemberContact = Contact & { readonly memberId: number }

/** Returns the contact data of all members, sorted by name. */
export function memberContacts(
  { records, ledger, changedAt }: FeedSource<'members/contacts'>,
  site: Site,
): readonly MemberContact[] {
  const organization = nameOf(site)
  return records
    .map((member) => ({
      ...contactFrom(member),
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

function contactFrom(member: Member) {
  const [firstName, middleName, lastName] = [
    member.firstName,
    member.middleInitial,
    member.lastName,
  ].map(oneLine) as [string, string, string]
  const names = [firstName, middleName, lastName].filter((name) => name !== '')
  return {
    firstName,
    middleName,
    lastName,
    fullName: names.join(' ') || `Member ${member.id}`,
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

/** Returns the URI that calls a number, without its extension; undefined for text without a number. */
export function telUri(number: string): string | undefined {
  const [beforeExtension = ''] = number.split(/[,;]|(?<=\d[\s.)-]*)(?:ext|x|#)/i)
  const dialed = beforeExtension.replaceAll(/(?!^\+)\D/g, '')
  return dialed === '' ? undefined : `tel:${dialed}`
}

/** Returns the type that address books know for the website's name of a type. */
function phoneTypeFrom(name: string): PhoneType {
  if (/fax/i.test(name)) return 'FAX'
  if (/pager/i.test(name)) return 'PAGER'
  if (/cell|mobile/i.test(name)) return 'CELL'
  if (/home/i.test(name)) return 'HOME'
  return /work|office|business/i.test(name) ? 'WORK' : 'VOICE'
}

const vCardVersions: Readonly<Record<string, VCardVersion>> = { '3': '3.0', '4': '4.0' }

/** Renders contacts as vCards of version `3` or `4`. Returns undefined for any other version. */
export function contactsVCard(
  contacts: readonly Contact[],
  versionName: string,
): string | undefined {
  const version = vCardVersions[versionName]
  return version && contacts.map((contact) => renderVCard(contact, version)).join('')
}

const phoneLabels: Readonly<Record<PhoneType, string>> = {
  CELL: 'Mobile',
  HOME: 'Home',
  WORK: 'Work',
  FAX: 'Fax',
  PAGER: 'Pager',
  VOICE: 'Other',
}

/** Columns that Google Contacts imports. */
const columns = [
  'First Name',
  'Middle Name',
  'Last Name',
  'Organization Name',
  'Organization Title',
  'E-mail 1 - Label',
  'E-mail 1 - Value',
  ...[1, 2, 3].flatMap((number) => [`Phone ${number} - Label`, `Phone ${number} - Value`]),
  'Address 1 - Label',
  'Address 1 - Street',
  'Address 1 - Extended Address',
  'Address 1 - City',
  'Address 1 - Region',
  'Address 1 - Postal Code',
] as const

/** Renders contacts as a spreadsheet (RFC 4180), in the columns that Google Contacts imports. */
export function contactsCsv(contacts: readonly Contact[]): string {
  const rows = [columns, ...contacts.map(rowFrom)]
  // Without a byte order mark, Excel does not read UTF-8.
  return `\uFEFF${rows.map((cells) => `${cells.map(cellFrom).join(',')}\r\n`).join('')}`
}

function rowFrom({ phones, email, address, ...contact }: Contact): readonly string[] {
  const { extended, street, city, region, postalCode } = address
  const place = [street, extended, city, region, postalCode]
  const isPlaceKnown = place.some((part) => part !== '')
  return [
    contact.firstName,
    contact.middleName,
    contact.lastName,
    contact.organization,
    contact.title,
    email === '' ? '' : 'Other',
    email,
    ...[0, 1, 2].flatMap((index) => {
      const phone = phones[index]
      return phone ? [phoneLabels[phone.type], phone.number] : ['', '']
    }),
    isPlaceKnown ? 'Home' : '',
    ...place,
  ]
}

/**
 * Quotes a cell. Text that a spreadsheet would evaluate as a formula starts with an apostrophe, except for
 * an international phone number, which loses the hyphens that would make it one. Some editions of Excel
 * treat the full-width characters of East Asian text like ASCII ones.
 */
function cellFrom(text: string): string {
  if (/^\+\d[\d ().-]*$/.test(text)) return text.replace('(0)', '').replaceAll(/[ ().-]/g, '')
  const harmless = /^[=+\-@＝＋－＠\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
