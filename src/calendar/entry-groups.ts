import { reminderMinutes } from './reminders.ts'
import { isWithin } from '../records/date-words.ts'
import { siteDateAt } from '../records/site-time.ts'
import { isMatch, isFiltered } from './entry-search.ts'
import type { CalendarEntry, EntryTime } from './calendar-entry.ts'
import type { ShownEntry } from './calendar-size.ts'
import { asCanceled } from './canceled-title.ts'
import type { CalendarSection, EntryLabel, SectionEntry } from './calendar-section.ts'
import { windowOf } from './date-window.ts'
import { memberKey, type DuplicateGroups, type DuplicateRecord } from './duplicate-groups.ts'
import type { EntryContext } from './entries.ts'
import { paragraphs, uidOf } from './entry-recipe.ts'
import { mergedEntry, type DuplicateGroup } from './merge-duplicates.ts'

/** Entries that are shown as one, with the UID and time for sorting. */
export type EntryGroup = {
  readonly uid: string
  readonly time: EntryTime
  readonly entries: DuplicateGroup<SectionEntry>
  /** Latest change to entries that are no longer in the group. Milliseconds since the epoch. */
  readonly changedAt: number
}

export function chosenGroups(
  sections: readonly CalendarSection[],
  request: Parameters<CalendarSection['entriesFor']>[0],
  duplicates: DuplicateGroups | undefined,
) {
  const today = siteDateAt(request.now, request.timeZone)
  const chosen = sections.map((section) => section.entriesFor(request))
  const entries = chosen.flatMap((section) => section.entries)
  const groups = duplicates
    ? groupsOf(entries, membersIn(duplicates, sections), request.idHost)
    : entries.map(singleGroup)
  return {
    // Filters groups instead of entries, so that duplicates stay together.
    groups: groups.filter(
      ({ entries }) =>
        entries.some(({ time, section }) => isWithin(time, windowOf(section.options, today))) &&
        isFound(entries),
    ),
    changesAt: chosen.flatMap(({ changesAt }) => changesAt),
  }
}

/** Searches all entries of a group together. They have the same options. */
function isFound(entries: DuplicateGroup<SectionEntry>): boolean {
  const { options } = entries[0].section
  return (
    !isFiltered(options) ||
    isMatch(
      entries.map((entry) => entry.searchedTexts()),
      options,
    )
  )
}

function singleGroup(entry: SectionEntry): EntryGroup {
  return { uid: entry.uid, time: entry.time, entries: [entry], changedAt: 0 }
}

/** Groups duplicates. Canceled ones are omitted if others still take place. */
function groupsOf(
  entries: readonly SectionEntry[],
  membersOf: (entry: SectionEntry) => GroupMembers | undefined,
  idHost: string,
): readonly EntryGroup[] {
  const groups = Map.groupBy(entries, (entry) => membersOf(entry) ?? entry)
  return [...groups].flatMap(([members, group]): readonly EntryGroup[] => {
    if ('uid' in members) return [singleGroup(members)]
    const active = group.filter(({ status }) => status !== 'cancelled')
    const [first, ...others] = active.length > 0 ? active : group
    const oldest = members.chosen.find(({ state }) => state !== 'separate')
    if (!first || !oldest) return []
    return [
      {
        uid: uidOf(oldest.resource, oldest.id, idHost),
        time: first.time,
        entries: [first, ...others],
        changedAt: lastChangeOf(members),
      },
    ]
  })
}

/** Returns the time of the last change that is not included in the entries shown. */
function lastChangeOf({ all, chosen }: GroupMembers): number {
  const others = all.filter((member) => member.state !== 'listed' || !chosen.includes(member))
  return Math.max(0, ...others.map(({ changedAt }) => changedAt))
}

type GroupMembers = {
  /** Members of the group that the reader may see. */
  readonly all: readonly DuplicateRecord[]
  readonly chosen: readonly DuplicateRecord[]
}

function membersIn(
  duplicates: DuplicateGroups,
  sections: readonly CalendarSection[],
): (entry: SectionEntry) => GroupMembers | undefined {
  // Sections with a variant are not the same for every reader with a profile.
  const shared = sections.filter(({ variant }) => variant === undefined)
  const sectionOf = new Map(shared.map((section) => [section.resource, section]))
  const byKey = new Map<string, GroupMembers>()
  for (const group of duplicates) {
    const all = group.filter(({ resource }) => sectionOf.has(resource))
    if (all.length < 2) continue
    const chosen = all.filter(({ resource, partId = 0 }) => {
      const parts = sectionOf.get(resource)?.options.parts ?? []
      return parts.length === 0 || parts.includes(partId)
    })
    const members = { all, chosen }
    for (const member of chosen) {
      if (member.state !== 'separate') byKey.set(memberKey(member), members)
    }
  }
  return ({ section: { variant, resource }, record: { id } }) =>
    variant === undefined ? byKey.get(memberKey({ resource, id })) : undefined
}

export function entryOfGroup(
  { entries, ...identity }: EntryGroup,
  context: EntryContext,
): ShownEntry {
  const [first, ...others] = entries
  // A note does not count as a description, because the other entries may have one.
  const note = entries.find((entry) => entry.note !== undefined)?.note
  const merged = mergedEntry(
    [first.entryFor(context), ...others.map((entry) => entry.entryFor(context))],
    identity,
  )
  const { label } = first.section
  const categories = entries.flatMap(({ section }) => section.label?.category ?? [])
  const minutes = entries.flatMap(({ section }) =>
    reminderMinutes(merged.time, section.options, context.zone),
  )
  const description =
    note === undefined ? merged.description : paragraphs(`${note}.`, merged.description)
  const noted = { ...merged, description }
  const entry = label ? labelledEntry(noted, label, categories) : noted
  // Not every client shows STATUS.
  const { language } = context.reader
  const summary = entry.status === 'cancelled' ? asCanceled(entry.summary, language) : entry.summary
  const alarmMinutes = [...new Set(minutes)].sort((a, b) => a - b)
  return { entry: { ...entry, summary }, alarmMinutes }
}

/** Adds a label to an entry. A title that already starts with the prefix is not changed. */
function labelledEntry(
  entry: CalendarEntry,
  { prefix, color }: EntryLabel,
  categories: readonly string[],
): CalendarEntry {
  return {
    ...entry,
    summary: prefix === undefined ? entry.summary : withPrefix(entry.summary, prefix),
    categories: [...new Set([...categories, ...entry.categories])],
    color,
  }
}

function withPrefix(title: string, prefix: string): string {
  const isPrefixed = title.toLowerCase().startsWith(prefix.toLowerCase())
  return isPrefixed ? title : `${prefix} ${title}`
}
