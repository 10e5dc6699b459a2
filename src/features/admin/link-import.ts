import { membersFault } from '../../feeds/catalog/members.ts'
import {
  linkProfiles,
  maxLabelLength,
  readExpiry,
  readLabel,
  readMemberId,
} from '../../links/feed-link.ts'
import type { LinkRules } from '../../links/feed-link.ts'
import type { NewLink } from '../../links/stored-links.ts'
import { readCsv, type CsvRow } from '../../text/csv.ts'
import type { KnownToForms, MemberChoice } from './link-form.ts'
import type { LinkMessages } from './messages/links/en.ts'
import type { FormReading } from '../../web/forms.ts'

export const maxRows = 500

/** Columns of a list of links, in the default order without a header row. */
export const columns = ['name', 'profile', 'feeds', 'expires', 'member'] as const

type Column = (typeof columns)[number]

type Known = KnownToForms & {
  /** Applies to empty cells. */
  readonly defaults: LinkRules
  readonly members: readonly MemberChoice[] | undefined
}

/** Reads a list of links to create. Returns a sentence for each invalid row. */
export function readLinkRows(
  text: string,
  known: Known,
): FormReading<{ readonly wishes: readonly NewLink[] }> {
  const { faults: texts } = known.texts.import
  if (text.includes('\uFFFD')) return { ok: false, faults: [texts.encoding] }
  const reading = readCsv(text)
  if (!reading.ok) return { ok: false, faults: [texts.row(reading.row, texts[reading.fault])] }
  const [first, ...rest] = reading.rows
  if (!first) return { ok: false, faults: [texts.empty] }
  const at = ({ number }: CsvRow, fault: string) => texts.row(number, fault)
  const header = headerFrom(first, texts)
  if (header && 'fault' in header) return { ok: false, faults: [at(first, header.fault)] }
  const rows = header ? rest : reading.rows
  if (rows.length === 0) return { ok: false, faults: [texts.onlyHeader] }
  if (rows.length > maxRows) {
    return { ok: false, faults: [texts.tooMany(rows.length, maxRows)] }
  }
  const idsOf = known.members && idsByMember(known.members)
  const rowOfName = new Map<string, number>()
  const faults: string[] = []
  const wishes = rows.flatMap((row) => {
    const fail = (fault: string) => void faults.push(at(row, fault))
    const earlier = faults.length
    const wish = readRow(row, header?.columns ?? columns, { ...known, idsOf }, fail)
    if (!wish) return []
    const repeated = rowOfName.get(wish.label)
    if (repeated !== undefined) fail(texts.repeatedName(wish.label, repeated))
    else rowOfName.set(wish.label, row.number)
    return faults.length > earlier ? [] : [wish]
  })
  return faults.length > 0 ? { ok: false, faults } : { ok: true, wishes }
}

/** Returns the columns in a header row, or undefined for a row with data. */
function headerFrom({ cells }: CsvRow, texts: Faults) {
  const names = cells.map((cell) => cell.toLowerCase())
  if (names.some((name) => /^name\s*;/.test(name))) return { fault: texts.semicolons }
  if (!names.includes('name')) return undefined
  const found = names.map((name) => columns.find((column) => column === name))
  const unknown = cells.find((_cell, index) => !found[index])
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  const allowed = columns.join(', ')
  if (unknown !== undefined) return { fault: texts.unknownColumn(unknown, allowed) }
  if (repeated !== undefined) return { fault: texts.repeatedColumn(repeated, allowed) }
  return { columns: found.filter((column) => column !== undefined) }
}

type Faults = LinkMessages['import']['faults']

/** Reports why a row is invalid, so that no links are created. */
type Fail = (fault: string) => undefined

function readRow(
  { cells }: CsvRow,
  order: readonly Column[],
  known: Known & { readonly idsOf: IdsByMember | undefined },
  fail: Fail,
): NewLink | undefined {
  const { defaults, idsOf } = known
  const { faults: texts } = known.texts.import
  const textIn = (column: Column) => cells[order.indexOf(column)] ?? ''
  function read<T>(column: Column, defaultValue: T, parse: (text: string) => T): T {
    const text = textIn(column)
    return text === '' ? defaultValue : parse(text)
  }
  if (cells.slice(order.length).some((cell) => cell !== '')) {
    fail(texts.tooManyCells(order.length))
  }
  const name = textIn('name')
  if (profileAfterSemicolon.test(name)) fail(texts.semicolons)
  const label = readLabel(name) ?? fail(texts.name(maxLabelLength))
  const profile =
    read('profile', defaults.profile, (text) => readProfile(text, texts, fail)) ?? defaults.profile
  const feedIds = read('feeds', defaults.feedIds, (text) => readFeeds(text, known, fail))
  const expiresAt = read('expires', defaults.expiresAt, (text) => readExpires(text, known, fail))
  const memberId = read('member', undefined, (text) => readMember(text, { idsOf, texts }, fail))
  const fault = membersFault({ feedIds, profile }, known.texts.membersTexts)
  if (fault !== undefined) fail(fault)
  return label === undefined ? undefined : { label, profile, feedIds, expiresAt, memberId }
}

/** Matches the start of a row from a list whose columns are separated by semicolons. */
const profileAfterSemicolon = /;\s*(?:(?:members|full)\s*)?(?:;|$)/i

function readProfile(text: string, texts: Faults, fail: Fail) {
  const fault = texts.profile(text, linkProfiles)
  return linkProfiles.find((name) => name === text.toLowerCase()) ?? fail(fault)
}

function readFeeds(text: string, { feedIds: known, texts }: Known, fail: Fail) {
  const ids = text.toLowerCase().split(/[\s,;]+/)
  if (ids.length === 1 && ids[0] === 'all') return undefined
  const unknown = ids.find((id) => !known.includes(id))
  if (unknown === undefined) return [...new Set(ids)]
  return fail(texts.import.faults.feed(unknown, known.join(', ')))
}

function readExpires(text: string, known: Known, fail: Fail) {
  if (text.toLowerCase() === 'never') return undefined
  return readExpiry(text, known) ?? fail(known.texts.import.faults.expires(text))
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
function readMember(
  text: string,
  { idsOf, texts }: { readonly idsOf: IdsByMember | undefined; readonly texts: Faults },
  fail: Fail,
) {
  const id = readMemberId(text)
  if (!idsOf) {
    return id ?? fail(texts.memberId(text))
  }
  const ids = [...(idsOf.get(id ?? comparable(text)) ?? [])]
  if (ids.length === 0) return fail(texts.noMember(text))
  if (ids.length === 1) return ids[0]
  return fail(texts.severalMembers(text, ids.join(', ')))
}

const comparable = (name: string) =>
  name
    .toLowerCase()
    .replace(/[\s.]+/g, ' ')
    .trim()
