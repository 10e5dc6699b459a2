import { escape } from 'ical-generator'
import { cleanText } from '../records/text.ts'

/** A place as the settings describe it. */
export type Place = {
  /** As the website's records call it; one line. */
  readonly name: string
  /** The whole postal address; one line. */
  readonly address: string
  readonly latitude: number
  readonly longitude: number
}

/** The radius, in meters, that Apple Calendar itself writes for a building. */
const radius = 72

/** Returns a function that finds the place that a location names, whatever its case and spaces. */
export function placeFinder(places: readonly Place[]): (location: string) => Place | undefined {
  const byName = new Map(places.map((place) => [placeKey(place.name), place]))
  return (location) => byName.get(placeKey(location))
}

/** The same for all spellings of one name. */
export function placeKey(name: string): string {
  return name.replace(/\s+/g, ' ').trim().toLowerCase()
}

/**
 * LOCATION, GEO and Apple's location of an entry. Apple shows a map only where LOCATION is its title, a
 * line break and its address, exactly.
 */
export function placeLines({ name, address, latitude, longitude }: Place): readonly string[] {
  const [title, postal] = [name, address].map(quotable)
  return [
    `LOCATION:${escape(`${title}\n${postal}`, false)}`,
    `GEO:${latitude};${longitude}`,
    `X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="${postal}";X-APPLE-RADIUS=${radius};X-TITLE="${title}":geo:${latitude},${longitude}`,
  ]
}

/** A quoted parameter cannot hold quotes (RFC 5545 3.2), and carets escape in it (RFC 6868). */
function quotable(text: string): string {
  return cleanText(text).replaceAll('"', "'").replaceAll('^', '')
}
