import { membersFault } from '../../feeds/catalog/members.ts'
import {
  linkProfiles,
  maxLabelLength,
  readExpiry,
  readLabel,
  readMemberId,
} from '../../links/feed-link.ts'
import type { NewLink } from '../../links/stored-links.ts'
import { readCsv, type CsvRow } from './csv.ts'
import type { MemberChoice } from './link-form.ts'
import type { FormReading } from './requests.ts'

export const maxRows = 500

/** Columns of a list of links, in the default order without a header row. */
export const columns = ['name', 'profile', 'feeds', 'expires', 'member'] as const

type Column = (typeof columns)[number]

type Known = {
  /** Applies to empty cells. */
  readonly defaults: Omit<NewLink, 'label' | 'memberId'>
  readonly feedIds: readonly string[]
  /** Undefined if the members are unknown. */
  readonly members: readonly MemberChoice[] | undefined
  readonly timeZone: string
  readonly now: number
}

/** Reads a list of links to create. Returns a sentence for each invalid row. */
export function readLinkRows(
  text: string,
  known: Known,
): FormReading<{ readonly wishes: readonly NewLink[] }> {
  if (text.includes('\uFFFD')) return { ok: false, faults: [encodingFault] }
  const reading = readCsv(text)
  if (!reading.ok) return { ok: false, faults: [reading.fault] }
  const [first, ...rest] = reading.rows
  if (!first) return { ok: false, faults: ['Enter or choose a list of names.'] }
  const header = headerFrom(first)
  if (header && 'fault' in header) return { ok: false, faults: [at(first, header.fault)] }
  const rows = header ? rest : reading.rows
  if (rows.length === 0) return { ok: false, faults: ['The list has no names below its header.'] }
  if (rows.length > maxRows) {
    const fault = `The list has ${rows.length} rows, and the maximum is ${maxRows}. Split it into several lists.`
    return { ok: false, faults: [fault] }
  }
  const rowOfName = new Map<string, number>()
  const faults: string[] = []
  const wishes: NewLink[] = []
  for (const row of rows) {
    const result = readRow(row, header?.columns ?? columns, known)
    const repeated = 'wish' in result && rowOfName.get(result.wish.label)
    if ('faults' in result) faults.push(...result.faults.map((fault) => at(row, fault)))
    else if (repeated) faults.push(at(row, repeatedFault(result.wish.label, repeated)))
    else {
      rowOfName.set(result.wish.label, row.number)
      wishes.push(result.wish)
    }
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, wishes }
}

const encodingFault =
  'The file is not in UTF-8, so some letters cannot be read. In Excel, save it as “CSV UTF-8”.'

const at = ({ number }: CsvRow, fault: string) => `Row ${number}: ${fault}`

const repeatedFault = (name: string, row: number) =>
  `The name “${name}” is also in row ${row}. Add something that tells the two links apart.`

const semicolonFault = 'Separate the columns with commas instead of semicolons.'

/** Returns the columns in a header row, or undefined for a row with data. */
function headerFrom({ cells }: CsvRow) {
  const names = cells.map((cell) => cell.toLowerCase())
  if (names.some((name) => /^name\s*;/.test(name))) return { fault: semicolonFault }
  if (!names.includes('name')) return undefined
  const found = names.map((name) => columns.find((column) => column === name))
  const unknown = cells.find((_cell, index) => !found[index])
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  const allowed = `The columns are ${columns.join(', ')}.`
  if (unknown !== undefined) return { fault: `The column “${unknown}” is unknown. ${allowed}` }
  if (repeated !== undefined) return { fault: `The column “${repeated}” appears twice. ${allowed}` }
  return { columns: found.filter((column) => column !== undefined) }
}

function readRow(
  { cells }: CsvRow,
  order: readonly Column[],
  known: Known,
): { readonly wish: NewLink } | { readonly faults: readonly string[] } {
  const faults: string[] = []
  const textIn = (column: Column) => cells[order.indexOf(column)] ?? ''
  /** Returns the cell's value, or the default if the cell is empty or invalid. */
  function read<T>(
    column: Column,
    defaultValue: T,
    parse: (text: string) => { readonly value: T } | { readonly fault: string },
  ): T {
    const text = textIn(column)
    if (text === '') return defaultValue
    const parsed = parse(text)
    if ('value' in parsed) return parsed.value
    faults.push(parsed.fault)
    return defaultValue
  }
  if (cells.slice(order.length).some((cell) => cell !== '')) {
    faults.push(`There are more than ${order.length} cells. ${commaAdvice}`)
  }
  const name = textIn('name')
  if (profileAfterSemicolon.test(name)) faults.push(semicolonFault)
  const label = readLabel(name)
  if (label === undefined) {
    faults.push(`A name is required, in at most ${maxLabelLength} characters.`)
  }
  const { defaults } = known
  const profile = read('profile', defaults.profile, readProfile)
  const feedIds = read('feeds', defaults.feedIds, (text) => readFeeds(text, known.feedIds))
  const expiresAt = read('expires', defaults.expiresAt, (text) => readExpires(text, known))
  const memberId = read<number | undefined>('member', undefined, (text) =>
    readMember(text, known.members),
  )
  const fault = membersFault({ feedIds, profile })
  if (fault !== undefined) faults.push(fault)
  if (label === undefined || faults.length > 0) return { faults }
  return { wish: { label, profile, feedIds, expiresAt, memberId } }
}

/** Matches the start of a row from a list whose columns are separated by semicolons. */
const profileAfterSemicolon = /;\s*(?:members|full)?\s*(?:;|$)/i

const commaAdvice = 'A cell that contains a comma needs quotation marks around it.'

function readProfile(text: string) {
  const value = linkProfiles.find((name) => name === text.toLowerCase())
  if (value) return { value }
  const known = linkProfiles.join(' or ')
  return { fault: `The profile “${text}” is unknown. Use ${known}. ${commaAdvice}` }
}

function readFeeds(text: string, known: readonly string[]) {
  const ids = text.toLowerCase().split(/[\s,;]+/)
  if (ids.length === 1 && ids[0] === 'all') return { value: undefined }
  const unknown = ids.find((id) => !known.includes(id))
  if (unknown === undefined) return { value: [...new Set(ids)] }
  return { fault: `The feed “${unknown}” is unknown. Use all, or some of ${known.join(', ')}.` }
}

function readExpires(text: string, known: Known) {
  if (text.toLowerCase() === 'never') return { value: undefined }
  const value = readExpiry(text, known)
  if (value !== undefined) return { value }
  return {
    fault: `“${text}” cannot be the last day. Use today or a later date, like 2027-06-30, or never.`,
  }
}

/** Reads a member's id, or the name of exactly one member. */
function readMember(text: string, members: readonly MemberChoice[] | undefined) {
  const id = readMemberId(text)
  if (!members) {
    return id === undefined
      ? { fault: `“${text}” is not a member’s ID. Load the members to use their names.` }
      : { value: id }
  }
  const name = comparable(text)
  const found = members.filter((member) =>
    id === undefined ? member.names.map(comparable).includes(name) : member.id === id,
  )
  const [member, ...others] = found
  if (!member) return { fault: `The website has no member “${text}”.` }
  if (others.length > 0) {
    const ids = found.map((each) => each.id).join(', ')
    return { fault: `Several members are named “${text}”. Use one of their IDs: ${ids}.` }
  }
  return { value: member.id }
}

const comparable = (name: string) =>
  name
    .toLowerCase()
    .replace(/[\s.]+/g, ' ')
    .trim()
