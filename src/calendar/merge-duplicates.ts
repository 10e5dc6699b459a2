import { inSteps, type Steps } from '../steps.ts'
import type { CalendarEntry, EntryTime } from './calendar-entry.ts'
import { english } from './messages/en.ts'
import { revisionAt } from './revision.ts'

export type Candidate = {
  /** Position of the entry's source in the fixed order of sources. */
  readonly sourceIndex: number
  readonly record: { readonly id: number }
  readonly time: EntryTime
  /** In English. Computed only for entries that start at the same time as an entry from another source. */
  readonly text: () => { readonly summary: string; readonly location: string }
}

/** With more entries that start at the same time, comparing each with the others would take too long. */
export const maxAtSameTime = 100

/** Entries that describe the same event, at most one per source, in the order of the sources. */
export type DuplicateGroup<T> = readonly [T, ...T[]]

/**
 * Groups entries that describe the same event: they start at the same time, and have the same title
 * except for case and punctuation, or have the same place and one title contains the other. This
 * applies to every pair of entries in a group, so that the rest is still a group if an entry is
 * removed.
 */
export function* mergeDuplicates<T extends Candidate>(
  entries: readonly T[],
): Steps<readonly DuplicateGroup<T>[]> {
  const inOrder = entries.toSorted(
    (a, b) => a.sourceIndex - b.sourceIndex || a.record.id - b.record.id,
  )
  const byStart = Map.groupBy(inOrder, ({ time }) => `${time.start} ${time.allDay}`)
  const groups = yield* inSteps(byStart.values(), (group): readonly DuplicateGroup<T>[] =>
    group.length > maxAtSameTime ||
    group.every(({ sourceIndex }) => sourceIndex === group[0]?.sourceIndex)
      ? group.map((entry): DuplicateGroup<T> => [entry])
      : groupsIn(group),
  )
  return groups.flat()
}

type Words = { readonly title: string; readonly place: string }

type Compared<T> = Words & { readonly entry: T }

type Group<T> = [Compared<T>, ...Compared<T>[]]

function groupsIn<T extends Candidate>(entries: readonly T[]): readonly DuplicateGroup<T>[] {
  const groups: Group<T>[] = []
  const bySource = Map.groupBy(entries.map(comparedFrom), ({ entry }) => entry.sourceIndex)
  for (const ofSource of bySource.values()) {
    const known = [...groups]
    const taken = new Set<Group<T>>()
    const others = ofSource.filter((compared) => {
      const group = known.find(
        (each) =>
          !taken.has(each) &&
          each.some((member) => isSameTitle(member, compared)) &&
          each.every((member) => areSame(member, compared)),
      )
      if (!group) return true
      group.push(compared)
      taken.add(group)
      return false
    })
    const open = known.filter((group) => !taken.has(group))
    for (const compared of others) {
      const fits = (each: Compared<T>) => (group: Group<T>) =>
        group.every((member) => areSame(member, each))
      const [group, ...rivals] = open.filter(fits(compared))
      const isOnly = group && others.filter((each) => fits(each)(group)).length === 1
      // If more than one entry fits, it is unclear which ones belong together.
      if (isOnly && rivals.length === 0) group.push(compared)
      else groups.push([compared])
    }
  }
  return groups.map(([first, ...others]) => [first.entry, ...others.map(({ entry }) => entry)])
}

/** Returns true if two entries that start at the same time describe the same event. */
export function areDuplicates(a: Candidate, b: Candidate): boolean {
  return a.time.allDay === b.time.allDay && areSame(wordsIn(a), wordsIn(b))
}

const comparedFrom = <T extends Candidate>(entry: T): Compared<T> => ({ entry, ...wordsIn(entry) })

/** Each entry is compared with many others. */
const knownWords = new WeakMap<Candidate, Words>()

function wordsIn(entry: Candidate): Words {
  const known = knownWords.get(entry)
  if (known) return known
  const { summary, location } = entry.text()
  const title = summary === english.untitled ? '' : wordsOf(summary)
  const words = { title, place: wordsOf(location) }
  knownWords.set(entry, words)
  return words
}

function wordsOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[\p{P}\s]+/gu, ' ')
    .trim()
}

function areSame(a: Words, b: Words): boolean {
  return isSameTitle(a, b) || isPartOfTitle(a, b)
}

function isSameTitle(a: Words, b: Words): boolean {
  return a.title !== '' && a.title === b.title
}

/** Returns true if both have the same place, and all words of one title are in the other in sequence. */
function isPartOfTitle(a: Words, b: Words): boolean {
  if (a.place === '' || a.place !== b.place || a.title === '' || b.title === '') return false
  const [longer, shorter] = a.title.length > b.title.length ? [a, b] : [b, a]
  return ` ${longer.title} `.includes(` ${shorter.title} `)
}

/**
 * Returns the entry for a group. It has the content of the entry with the most fields (from the
 * earliest source if there are several), and the other entries fill in missing fields. Its revision
 * is the latest one, or that of `changedAt`, in milliseconds since the epoch, if that is later.
 */
export function mergedEntry(
  entries: DuplicateGroup<CalendarEntry>,
  { uid, changedAt }: { readonly uid: string; readonly changedAt: number },
): CalendarEntry {
  const revisions = [revisionAt(changedAt), ...entries.map(({ revision }) => revision)]
  const richest = entries.reduce((best, entry) =>
    filledFields(entry) > filledFields(best) ? entry : best,
  )
  const inOrder = [richest, ...entries.filter((entry) => entry !== richest)]
  const located = inOrder.find(({ location }) => location !== '') ?? richest
  return {
    ...richest,
    uid,
    relatedUids: entries.flatMap((entry) => (entry.uid === uid ? [] : [entry.uid])),
    time: inOrder.find(({ time }) => time.end !== undefined)?.time ?? richest.time,
    status: inOrder.find(({ status }) => status === 'confirmed')?.status ?? richest.status,
    location: located.location,
    place: located.place,
    description: inOrder.find(({ description }) => description !== '')?.description ?? '',
    url: inOrder.find(({ url }) => url !== undefined)?.url,
    categories: [...new Set(entries.flatMap(({ categories }) => categories))],
    isBusy: entries.some(({ isBusy }) => isBusy),
    revision: {
      sequence: Math.max(...revisions.map(({ sequence }) => sequence)),
      lastModified: Math.max(...revisions.map(({ lastModified }) => lastModified)),
      created: revisions.find(({ created }) => created !== undefined)?.created,
    },
  }
}

/** Counts the fields that not every entry has, except categories, which depend on the feed. */
function filledFields({ location, description, url, time }: CalendarEntry): number {
  const fields = [location !== '', description !== '', url !== undefined, time.end !== undefined]
  return fields.filter(Boolean).length
}
