import { z } from 'zod'
import { schemaOf } from './read-records.ts'
import type { FeedResource } from './resources.ts'

type Shape =
  | { readonly of: 'scalar' }
  | { readonly of: 'list'; readonly member: Shape }
  | { readonly of: 'object'; readonly properties: readonly (readonly [string, Shape])[] }

const scalar: Shape = { of: 'scalar' }

const shapes = new Map<FeedResource, Shape>()

/** Removes properties that an item's schema does not read. */
export function knownPart(resource: FeedResource, item: unknown): unknown {
  const shape = shapes.get(resource) ?? shapeFrom(schemaOf(resource))
  shapes.set(resource, shape)
  return partIn(shape, item) ?? null
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

function shapeFrom(schema: unknown): Shape {
  if (schema instanceof z.ZodObject) {
    const properties = Object.entries(schema.shape).map(
      ([name, property]) => [name, shapeFrom(property)] as const,
    )
    return { of: 'object', properties }
  }
  if (schema instanceof z.ZodArray) return { of: 'list', member: shapeFrom(schema.element) }
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodCatch
  ) {
    return shapeFrom(schema.unwrap())
  }
  if (!(schema instanceof z.ZodPipe)) return scalar
  // One side of a pipe is the transform, the other is the schema for its input.
  const after = shapeFrom(schema.out)
  return after.of === 'scalar' ? shapeFrom(schema.in) : after
}

/** Returns the part of a value that fits a shape, or undefined if its shape differs. */
function partIn(shape: Shape, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (shape.of === 'list' && Array.isArray(value)) {
    return value.map((member) => partIn(shape.member, member) ?? null)
  }
  if (shape.of !== 'object' || Array.isArray(value)) return undefined
  const parts = shape.properties.flatMap(([name, property]) => {
    const part = Object.hasOwn(value, name)
      ? partIn(property, (value as Record<string, unknown>)[name])
      : undefined
    return part === undefined ? [] : [[name, part] as const]
  })
  return Object.fromEntries(parts)
}
