import type { RecordOf } from './read-records.ts'
import { oneLine } from '../text/plain-text.ts'

type Member = RecordOf['members']

/** A member's name on sign-up sheets, which have no member ids, so a shared name is ambiguous. */
export type NamedMember =
  | { readonly ok: true; readonly name: string }
  | { readonly ok: false; readonly reason: 'not listed' | 'incomplete name' | 'shared name' }

/** Finds the name that a member currently has on sign-up sheets. */
export function namedMember(members: readonly Member[], id: number): NamedMember {
  const member = members.find((each) => each.id === id)
  if (!member) return { ok: false, reason: 'not listed' }
  const name = fullName(member)
  if (member.firstName === '' || member.lastName === '') {
    return { ok: false, reason: 'incomplete name' }
  }
  const isShared = members.some((each) => each.id !== id && loose(fullName(each)) === loose(name))
  return isShared ? { ok: false, reason: 'shared name' } : { ok: true, name }
}

/**
 * Returns true if a sign-up has exactly this name: first and last name, with the same letters in
 * the same case. The specification does not say how the two are joined, so any whitespace between
 * words counts as one space.
 */
export function isSignUpOf(name: string, signUp: { readonly name: string }): boolean {
  return joined(signUp.name) === name
}

function fullName({ firstName, lastName }: Member): string {
  return joined(`${firstName} ${lastName}`)
}

function joined(name: string): string {
  return oneLine(name).normalize('NFC')
}

/**
 * Returns a name for comparisons that are looser than for sign-ups, because it is better to treat a
 * name as shared than to show somebody else's sign-ups.
 */
function loose(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}
