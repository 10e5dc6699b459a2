import type { z } from 'zod'
import { calendarEventSchema, type CalendarEvent } from './calendar-event.ts'
import { newsStorySchema, type NewsStory } from './news-story.ts'
import { publicEventSchema, type PublicEvent } from './public-event.ts'

/** The data endpoints that feeds are made from. */
export const resources = ['calendar', 'events', 'news'] as const

export type Resource = (typeof resources)[number]

export type RecordOf = {
  readonly calendar: CalendarEvent
  readonly events: PublicEvent
  readonly news: NewsStory
}

/** Why one record was left out. Names the field, never its content, which may be personal. */
export type RejectedRecord = { readonly id: string; readonly reason: string }

const schemas: { readonly [R in Resource]: z.ZodType<RecordOf[R]> } = {
  calendar: calendarEventSchema,
  events: publicEventSchema,
  news: newsStorySchema,
}

/** Reads untrusted items into records by ascending id, one of each id; bad ones are left out. */
export function readRecords<R extends Resource>(
  resource: R,
  items: readonly unknown[],
): { readonly records: readonly RecordOf[R][]; readonly rejected: readonly RejectedRecord[] } {
  const byId = new Map<number, RecordOf[R]>()
  const rejected: RejectedRecord[] = []
  for (const item of items) {
    const result = schemas[resource].safeParse(item)
    if (result.success) byId.set(result.data.id, result.data)
    else rejected.push({ id: idOf(item), reason: reasonFrom(result.error) })
  }
  return { records: [...byId.values()].sort((a, b) => a.id - b.id), rejected }
}

function idOf(item: unknown): string {
  const id = typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined
  return typeof id === 'number' || typeof id === 'string' ? String(id).slice(0, 20) : 'none'
}

function reasonFrom(error: z.ZodError): string {
  return error.issues
    .map((issue) => `${issue.path.join('.') || 'record'}: ${issue.message}`)
    .join('; ')
}
