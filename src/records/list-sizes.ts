import { maxMembers } from './fields.ts'

/** Lists are nested less deeply in all records. */
const maxDepth = 8

/** Returns the number of members that are read of all lists in an item, which may be hostile. */
export function membersIn(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return 0
  const isList = Array.isArray(value)
  const parts: readonly unknown[] = isList ? value.slice(0, maxMembers) : Object.values(value)
  return parts.reduce<number>(
    (sum, part) => sum + membersIn(part, depth + 1),
    isList ? parts.length : 0,
  )
}

/** Returns the path of a list in an item of which not all members are read. */
export function longListIn(value: unknown, depth = 0): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return undefined
  if (Array.isArray(value) && value.length > maxMembers) return []
  for (const [name, part] of Object.entries(value)) {
    const path = longListIn(part, depth + 1)
    if (path) return [name, ...path]
  }
  return undefined
}
