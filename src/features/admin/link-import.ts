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
import type { FormReading } from '../../web/forms.ts'

export const maxRows = 500

/** Columns of a list of links, in the default order without a header row. */
export const columns = ['name', 'profile', 'feeds', 'expires', 'member'] as const

type Column = (typeof columns)[number]

type Known = {
  /** Applies to empty cells. */
  readonly defaults: Omit<NewLink, 'label' | 'memberId'>
  readonly feedIds: readonly string[]
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
  const idsOf = known.members && idsByMember(known.members)
  const rowOfName = new Map<string, number>()
  const faults: string[] = []
  const wishes = rows.flatMap((row) => {
    const fail = (fault: string) => void faults.push(at(row, fault))
    const earlier = faults.length
    const wish = readRow(row, header?.columns ?? columns, { ...known, idsOf }, fail)
    if (!wish || faults.length > earlier) return []
    const repeated = rowOfName.get(wish.label)
    if (repeated !== undefined) fail(repeatedFault(wish.label, repeated))
    else rowOfName.set(wish.label, row.number)
    return [wish]
  })
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

/** Reports why a row is invalid, so that no links are created. */
type Fail = (fault: string) => undefined

function readRow(
  { cells }: CsvRow,
  order: readonly Column[],
  known: Known & { readonly idsOf: IdsByMember | undefined },
  fail: Fail,
): NewLink | undefined {
  const { defaults, idsOf } = known
  const textIn = (column: Column) => cells[order.indexOf(column)] ?? ''
  function read<T>(column: Column, defaultValue: T, parse: (text: string, fail: Fail) => T): T {
    const text = textIn(column)
    return text === '' ? defaultValue : parse(text, fail)
  }
  if (cells.slice(order.length).some((cell) => cell !== '')) {
    fail(`There are more than ${order.length} cells. ${commaAdvice}`)
  }
  const name = textIn('name')
  if (profileAfterSemicolon.test(name)) fail(semicolonFault)
  const noName = `A name is required, in at most ${maxLabelLength} characters.`
  const label = readLabel(name) ?? fail(noName)
  const profile = read('profile', defaults.profile, readProfile) ?? defaults.profile
  const feedIds = read('feeds', defaults.feedIds, (text) => readFeeds(text, known.feedIds, fail))
  const expiresAt = read('expires', defaults.expiresAt, (text) => readExpires(text, known, fail))
  const memberId = read('member', undefined, (text) => readMember(text, idsOf, fail))
  const fault = membersFault({ feedIds, profile })
  if (fault !== undefined) fail(fault)
  return label === undefined ? undefined : { label, profile, feedIds, expiresAt, memberId }
}

/** Matches the start of a row from a list whose columns are separated by semicolons. */
const profileAfterSemicolon = /;\s*(?:(?:members|full)\s*)?(?:;|$)/i

const commaAdvice = 'A cell that contains a comma needs quotation marks around it.'

function readProfile(text: string, fail: Fail) {
  const known = linkProfiles.join(' or ')
  const fault = `The profile “${text}” is unknown. Use ${known}. ${commaAdvice}`
  return linkProfiles.find((name) => name === text.toLowerCase()) ?? fail(fault)
}

function readFeeds(text: string, known: readonly string[], fail: Fail) {
  const ids = text.toLowerCase().split(/[\s,;]+/)
  if (ids.length === 1 && ids[0] === 'all') return undefined
  const unknown = ids.find((id) => !known.includes(id))
  if (unknown === undefined) return [...new Set(ids)]
  return fail(`The feed “${unknown}” is unknown. Use all, or some of ${known.join(', ')}.`)
}

function readExpires(text: string, known: Known, fail: Fail) {
  if (text.toLowerCase() === 'never') return undefined
  const example = 'Use today or a later date, like 2027-06-30, or never.'
  return readExpiry(text, known) ?? fail(`“${text}” cannot be the last day. ${example}`)
}

/** The ids of the members with an id or a name, because a site can have thousands of members. */
type IdsByMember = ReadonlyMap<number | string, ReadonlySet<number>>

function idsByMember(members: readonly MemberChoice[]): IdsByMember {
  const idsOf = new Map<number | string, Set<number>>()
  for (const { id, names } of members) {
    for (const key of [id, ...names.map(comparable)]) {
      idsOf.set(key, (idsOf.get(key) ?? new Set()).add(id))
    }
  }
  return idsOf
}

/** Reads a member's id, or the name of exactly one member. */
function readMember(text: string, idsOf: IdsByMember | undefined, fail: Fail) {
  const id = readMemberId(text)
  if (!idsOf) {
    return id ?? fail(`“${text}” is not a member’s ID. Load the members to use their names.`)
  }
  const ids = [...(idsOf.get(id ?? comparable(text)) ?? [])]
  if (ids.length === 0) return fail(`The website has no member “${text}”.`)
  if (ids.length === 1) return ids[0]
  return fail(`Several members are named “${text}”. Use one of their IDs: ${ids.join(', ')}.`)
}

const comparable = (name: string) =>
  name
    .toLowerCase()
    .replace(/[\s.]+/g, ' ')
    .trim()
