import { foldLines } from 'ical-generator'
import { optional, text } from './icalendar.ts'

export type PhoneType = 'CELL' | 'HOME' | 'WORK' | 'FAX' | 'PAGER' | 'VOICE'

/** A person in an address book. All texts are single lines and may be empty, except for `fullName`. */
export type Contact = {
  readonly uid: string
  /** When the person's data last changed, in milliseconds since the epoch. */
  readonly changedAt: number
  readonly fullName: string
  readonly firstName: string
  readonly middleName: string
  readonly lastName: string
  readonly organization: string
  readonly title: string
  readonly phones: readonly { readonly type: PhoneType; readonly number: string }[]
  readonly email: string
  readonly address: Readonly<Record<AddressPart, string>>
  readonly note?: string
}

type AddressPart = 'extended' | 'street' | 'city' | 'region' | 'postalCode'

export type VCardVersion = '3.0' | '4.0'

/**
 * Renders a vCard with its line endings: 3.0 (RFC 2426), which all phones can read, or 4.0 (RFC 6350). Both
 * fold and escape lines like iCalendar. In 4.0, semicolons are escaped only in values with several parts
 * (RFC 6350 3.4), because Thunderbird would show the backslash in others.
 */
export function renderVCard(contact: Contact, version: VCardVersion): string {
  const { fullName, lastName, firstName, middleName, organization, title, email, note } = contact
  const isLatest = version === '4.0'
  const single = (value: string) => (isLatest ? text(value).replaceAll('\\;', ';') : text(value))
  const changedAt = new Date(contact.changedAt).toISOString().replace(/\.\d+Z$/, 'Z')
  const lines = [
    'BEGIN:VCARD',
    `VERSION:${version}`,
    'PRODID:-//Feedhouse//Feedhouse//EN',
    // In 4.0, a UID without a type is a URI.
    `${isLatest ? 'UID;VALUE=text' : 'UID'}:${single(contact.uid)}`,
    ...(isLatest ? ['KIND:individual'] : []),
    `FN:${single(fullName)}`,
    `N:${list([lastName, firstName, middleName, '', ''])}`,
    ...optional('ORG', organization, text),
    ...optional('TITLE', title, single),
    // Outlook drops numbers without a type, and several types become "Other" in some apps.
    ...contact.phones.map(({ type, number }) => `TEL;TYPE=${type}:${single(number)}`),
    ...optional(isLatest ? 'EMAIL' : 'EMAIL;TYPE=INTERNET', email, single),
    ...addressLines(contact.address),
    ...optional('NOTE', note, single),
    // Some address books import this as a label, which makes it easy to delete older copies.
    ...optional('CATEGORIES', organization, single),
    `REV:${isLatest ? changedAt.replace(/[-:]/g, '') : changedAt}`,
    'END:VCARD',
    '',
  ]
  return foldLines(lines.join('\r\n'))
}

function addressLines(address: Contact['address']): readonly string[] {
  const { extended, street, city, region, postalCode } = address
  const parts = ['', extended, street, city, region, postalCode, '']
  return parts.every((part) => part === '') ? [] : [`ADR;TYPE=HOME:${list(parts)}`]
}

function list(components: readonly string[]): string {
  return components.map(text).join(';')
}
