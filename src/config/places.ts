import { z } from 'zod'
import { placeKey, type Place } from '../calendar/place.ts'

const maxPlaces = 500

const line = (max: number) => {
  const error = `must be one line of 1 to ${max} characters`
  return z
    .string(error)
    .trim()
    .regex(/^\P{Cc}+$/u, error)
    .max(max, error)
}

const degrees = (max: number) => {
  const error = `must be a number from -${max} to ${max}`
  return z.number(error).min(-max, error).max(max, error).transform(sixDecimals)
}

const placeSchema = z.strictObject({
  name: line(200),
  address: line(500),
  latitude: degrees(90),
  longitude: degrees(180),
})

/** Parses the `PLACES` file, which contains a JSON array of places. */
export const placeList = z.string().transform((text, context): readonly Place[] => {
  const fault = (message: string) => context.addIssue({ code: 'custom', message })
  const listed = jsonFrom(text)
  if (!Array.isArray(listed) || listed.length > maxPlaces) {
    fault(`must name a JSON file with a list of at most ${maxPlaces} places`)
    return []
  }
  const places = new Map<string, Place>()
  for (const [index, entry] of listed.entries()) {
    const { data, error } = placeSchema.safeParse(entry)
    const label = labelOf(entry, index)
    for (const issue of error?.issues ?? []) fault(`${label}: ${sentenceOf(issue)}`)
    if (!data) continue
    if (places.has(placeKey(data.name))) fault(`${label}: duplicate name`)
    places.set(placeKey(data.name), data)
  }
  return [...places.values()]
})

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns a label for messages: the entry's number, and its name if it has one. */
function labelOf(entry: unknown, index: number): string {
  const name = z.object({ name: line(200) }).safeParse(entry).data?.name
  return `entry ${index + 1}${name === undefined ? '' : ` (${name})`}`
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')} is unknown`
  if (issue.path.length === 0) return 'must be an object with name, address, latitude and longitude'
  return `${issue.path.join('.')} ${issue.message}`
}

/** Rounds degrees to about 10 centimeters. */
function sixDecimals(value: number): number {
  return Math.round(value * 1e6) / 1e6
}
