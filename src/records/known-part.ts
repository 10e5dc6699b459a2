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

/** Counts records and the objects inside them. */
export function countThings(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (!Array.isArray(value)) {
    return Object.values(value).reduce<number>((sum, each) => sum + countThings(each), 1)
  }
  return value.reduce<number>((sum, each) => sum + Math.max(1, countThings(each)), 0)
}

/** Returns the size in UTF-8 of all text in a value. */
export function textBytesIn(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, each) => sum + textBytesIn(each), 0)
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
