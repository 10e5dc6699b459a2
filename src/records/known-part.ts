import { z } from 'zod'
import { schemaOf, type RecordOf } from './read-records.ts'

/** Returns the part of a value that a schema reads, or undefined if its shape differs. */
type PartReader = (value: unknown) => unknown

const readers = new WeakMap<object, PartReader>()

/** Removes properties that an item's schema does not read. Names may be in another case. */
export function knownPart(resource: keyof RecordOf, item: unknown): unknown {
  const schema = schemaOf(resource)
  const reader = readers.get(schema) ?? readerFor(schema)
  readers.set(schema, reader)
  return reader(item) ?? null
}

export type Size = {
  /** Number of records and of the objects inside them. */
  readonly things: number
  /** Size of all text in UTF-8. */
  readonly textBytes: number
}

/** Measures a value from JSON, which may be nested too deeply for a recursive function. */
export function sizeOf(value: unknown): Size {
  let things = 0
  let textBytes = 0
  const pending = [value]
  while (pending.length > 0) {
    const next = pending.pop()
    if (typeof next === 'string') textBytes += Buffer.byteLength(next)
    if (typeof next !== 'object' || next === null) continue
    if (!Array.isArray(next)) things += 1
    else things += next.filter(isCountedInList).length
    for (const each of Object.values(next)) pending.push(each)
  }
  return { things, textBytes }
}

/** Objects and the members of nested lists are counted on their own. */
function isCountedInList(member: unknown): boolean {
  const isObject = typeof member === 'object' && member !== null
  return !isObject || (Array.isArray(member) && member.length === 0)
}

function readerFor(schema: unknown): PartReader {
  const shape = shapeOf(schema)
  const partOf = shape && (shape instanceof z.ZodArray ? listReader(shape) : objectReader(shape))
  return (value) => (typeof value === 'object' && value !== null ? partOf?.(value) : value)
}

function listReader({ element }: z.ZodArray) {
  const read = readerFor(element)
  return (value: object) =>
    Array.isArray(value) ? value.map((member) => read(member) ?? null) : undefined
}

function objectReader({ shape }: z.ZodObject) {
  const readersByName = new Map(
    Object.entries(shape).map(([name, each]) => [name, readerFor(each)]),
  )
  const names = new Map(Object.keys(shape).map((name) => [name.toLowerCase(), name]))
  return (value: object) => {
    if (Array.isArray(value)) return undefined
    const parts: Record<string, unknown> = {}
    for (const key of Object.keys(value)) {
      const name = readersByName.has(key) ? key : names.get(key.toLowerCase())
      if (name === undefined || (name !== key && Object.hasOwn(value, name))) continue
      const part = readersByName.get(name)?.(Reflect.get(value, key))
      if (part !== undefined) parts[name] = part
    }
    return parts
  }
}

/** Returns the schema of the objects or lists that a schema reads, or undefined for scalars. */
function shapeOf(schema: unknown): z.ZodObject | z.ZodArray | undefined {
  if (schema instanceof z.ZodObject || schema instanceof z.ZodArray) return schema
  // One side of a pipe is the transform, the other is the schema for its input.
  if (schema instanceof z.ZodPipe) return shapeOf(schema.out) ?? shapeOf(schema.in)
  const isWrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodCatch
  return isWrapped ? shapeOf(schema.unwrap()) : undefined
}
