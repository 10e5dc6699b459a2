import { z } from 'zod'
import { schemaOf } from './read-records.ts'
import type { FeedResource } from './resources.ts'

/** Removes properties that an item's schema does not read. */
export function knownPart(resource: FeedResource, item: unknown): unknown {
  return partIn(schemaOf(resource), item) ?? null
}

const counts = new WeakMap<readonly unknown[], number>()

/** Counts records and the objects inside them. Remembers the number, since most pages never change. */
export function countThings(items: readonly unknown[]): number {
  const count = counts.get(items) ?? countIn(items)
  counts.set(items, count)
  return count
}

function countIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (!Array.isArray(value)) {
    return Object.values(value).reduce<number>((sum, each) => sum + countIn(each), 1)
  }
  return value.reduce<number>((sum, each) => sum + Math.max(1, countIn(each)), 0)
}

/** Returns the part of a value that a schema reads, or undefined if its shape differs. */
function partIn(schema: unknown, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const shape = shapeOf(schema)
  if (Array.isArray(value)) {
    if (!(shape instanceof z.ZodArray)) return undefined
    return value.map((member) => partIn(shape.element, member) ?? null)
  }
  if (!(shape instanceof z.ZodObject)) return undefined
  const parts = Object.entries(shape.shape).flatMap(([name, property]) => {
    const part = Object.hasOwn(value, name) ? partIn(property, Reflect.get(value, name)) : undefined
    return part === undefined ? [] : [[name, part] as const]
  })
  return Object.fromEntries(parts)
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
