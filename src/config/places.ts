import { z } from 'zod'
import { placeKey, type Place } from '../calendar/place.ts'
import { parsedJson } from '../json.ts'

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

/** Maximum length of the text with one place per line. */
export const maxPlacesLength = 40_000

const maxFaults = 10

export const storedPlaces = z.array(placeSchema).max(maxPlaces).readonly()

/** Parses the `PLACES` file, which contains a JSON array of places. */
export const placeList = z.string().transform((text, context): readonly Place[] => {
  const fault = (message: string) => context.addIssue({ code: 'custom', message })
  const listed = parsedJson(text)
  if (!Array.isArray(listed) || listed.length > maxPlaces) {
    fault(`must be the path of a JSON file with a list of at most ${maxPlaces} places`)
    return []
  }
  const entries = listed.map((entry: unknown, index) => ({ entry, index }))
  return checkedPlaces(entries, ({ index, name }, _part, message) =>
    fault(`entry ${index + 1}${name === undefined ? '' : ` (${name})`}: ${message}`),
  )
})

/** Invalid part of a place: one of its properties, or the whole line. */
type PlacePart = keyof Place | 'parts' | 'duplicate'

/** An invalid line. `fault` is the end of an English sentence about it. */
export type PlaceFault = {
  readonly line: number
  readonly name: string | undefined
  readonly part: PlacePart
  readonly fault: string
}

/** Reads a text with one place per line. `fault` is the end of an English sentence about all of it. */
export function readPlaceLines(text: string): {
  places: Place[]
  faults: readonly PlaceFault[]
  fault?: string
} {
  const faults: PlaceFault[] = []
  const report: ReportPlace = ({ index, name }, part, fault) =>
    void faults.push({ line: index + 1, name, part, fault })
  const lines = text.split('\n').map((each, index) => ({ index, parts: each.split('|') }))
  const filled = lines.filter(({ parts }) => parts.some((part) => part.trim() !== ''))
  if (text.length > maxPlacesLength || filled.length > maxPlaces) {
    const max = `${maxPlaces} places and ${maxPlacesLength.toLocaleString('en')} characters`
    return { places: [], faults: [], fault: `must have at most ${max}` }
  }
  const listed = filled.flatMap(({ index, parts }) => {
    const [name = '', address = '', position = '', ...others] = parts
    const entry = { name, address, ...positionFrom(position) }
    if (others.length === 0 && parts.length === 3) return [{ entry, index }]
    const fault = 'must have a name, an address and a position, separated by |'
    report({ index, name: nameIn(entry) }, 'parts', fault)
    return []
  })
  const places = checkedPlaces(listed, report)
  return { places, faults: faults.slice(0, maxFaults) }
}

/** Returns the text that `readPlaceLines` reads. */
export function linesOfPlaces(places: readonly Place[]): string {
  return places
    .map(({ name, address, latitude, longitude }) =>
      [name, address, `${latitude}, ${longitude}`].join(' | '),
    )
    .join('\n')
}

/** Reports a place by its index and its name, if it has one. */
type ReportPlace = (
  place: { readonly index: number; readonly name: string | undefined },
  part: PlacePart,
  fault: string,
) => void

function checkedPlaces(
  listed: readonly { readonly entry: unknown; readonly index: number }[],
  report: ReportPlace,
): Place[] {
  const places = new Map<string, Place>()
  for (const { entry, index } of listed) {
    const { data, error } = placeSchema.safeParse(entry)
    const place = { index, name: nameIn(entry) }
    for (const issue of error?.issues ?? []) report(place, partOf(issue), sentenceOf(issue))
    if (!data) continue
    if (places.has(placeKey(data.name))) report(place, 'duplicate', 'duplicate name')
    places.set(placeKey(data.name), data)
  }
  return [...places.values()]
}

/** Reads coordinates like `42.123456, -74.2`, the format copied from maps. */
function positionFrom(text: string) {
  const degree = String.raw`\s*(-?\d{1,3}(?:\.\d{1,20})?)\s*`
  const [, latitude, longitude] = new RegExp(`^${degree},${degree}$`).exec(text) ?? []
  return latitude === undefined ? {} : { latitude: Number(latitude), longitude: Number(longitude) }
}

function nameIn(entry: unknown): string | undefined {
  return z.object({ name: line(200) }).safeParse(entry).data?.name
}

function partOf({ path: [property] }: z.core.$ZodIssue): PlacePart {
  return placeSchema.keyof().safeParse(property).data ?? 'parts'
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
