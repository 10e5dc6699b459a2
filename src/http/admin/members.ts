import type { RecordOf } from '../../records/read-records.ts'

/** A member of the organization whom a feed link can be for. */
export type MemberChoice = {
  readonly id: number
  /** Name and rank for a list that is sorted by last name. */
  readonly label: string
  /** Ways to write the name. */
  readonly names: readonly string[]
}

const collator = new Intl.Collator('en')

/** Returns the members, sorted by last name. */
export function memberChoicesFrom(
  members: readonly RecordOf['members'][],
): readonly MemberChoice[] {
  return members
    .map(({ id, firstName, middleInitial, lastName, rank }) => {
      const given = [firstName, middleInitial].filter((part) => part !== '').join(' ')
      const listed = [lastName, given].filter((part) => part !== '').join(', ')
      const label = `${[listed, rank].filter((part) => part !== '').join(', ')} (${id})`
      const names = [
        `${firstName} ${lastName}`,
        `${given} ${lastName}`,
        `${lastName}, ${firstName}`,
        listed,
      ]
      return { id, label, names }
    })
    .sort((a, b) => collator.compare(a.label, b.label) || a.id - b.id)
}
