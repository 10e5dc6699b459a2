import { cleanText } from '../text/text.ts'
import { text } from './icalendar.ts'

export type Place = {
  /** A single line with the name that the website's records use. */
  readonly name: string
  /** A single line with the full postal address. */
  readonly address: string
  readonly latitude: number
  readonly longitude: number
}

/** Radius in meters that Apple Calendar uses for a building. */
const radius = 72

/** Returns a function that finds the place for a location, ignoring case and extra spaces. */
export function placeFinder(places: readonly Place[]): (location: string) => Place | undefined {
  const byName = new Map(places.map((place) => [placeKey(place.name), place]))
  return (location) => byName.get(placeKey(location))
}

export function placeKey(name: string): string {
  return name.replace(/\s+/g, ' ').trim().toLowerCase()
}

/**
 * Renders LOCATION, GEO and Apple's structured location. Apple shows a map only if LOCATION is
 * exactly the title, a line break and the address.
 */
export function placeLines({ name, address, latitude, longitude }: Place): readonly string[] {
  const [title, postal] = [name, address].map(quotable)
  return [
    `LOCATION:${text(`${title}\n${postal}`)}`,
    `GEO:${latitude};${longitude}`,
    `X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="${postal}";X-APPLE-RADIUS=${radius};X-TITLE="${title}":geo:${latitude},${longitude}`,
  ]
}

/** Removes quotes, which a parameter cannot contain (RFC 5545 3.2), and carets, which are escape characters (RFC 6868). */
function quotable(value: string): string {
  return cleanText(value).replaceAll('"', "'").replaceAll('^', '')
}
