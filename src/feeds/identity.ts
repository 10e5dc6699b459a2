import { accentColors, defaultColor, type AccentColors } from './accent-color.ts'

/** What makes a site's pages recognizable. */
export type Identity = {
  /** One or two letters, shown where there is no logo. */
  readonly initials: string
  /** Town and state, like "Cedar Hollow, NY". */
  readonly place: string | undefined
  /** The site's color as configured, or a default. Use `colors` on pages. */
  readonly color: string
  /** Readable variants of the color. */
  readonly colors: AccentColors
  /** Absolute path or https URL of the logo. */
  readonly logo: string | undefined
}

/** Settings for the identity. */
export type IdentitySettings = {
  readonly color?: string | undefined
  readonly place?: string | undefined
  readonly logo?: string | undefined
}

/** Words that have no initial. */
const smallWords = new Set(['a', 'an', 'and', 'for', 'in', 'of', 'on', 'the', 'www'])

/** Returns the identity of the site with this name. */
export function identityFrom(
  { color: chosen, place, logo }: IdentitySettings,
  name: string,
): Identity {
  const color = chosen ?? defaultColor(name)
  return { initials: initialsOf(name), place, color, colors: accentColors(color), logo }
}

/** Returns the first letters of the first two words, like "CH" for "Cedar Hollow Fire Department". */
function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu) ?? []
  const isHost = !name.includes(' ') && name.includes('.')
  const large = words.filter((word) => !smallWords.has(word.toLowerCase()))
  const used = (large.length > 0 ? large : words).slice(0, isHost ? 1 : 2)
  return used.map((word) => (/^[\p{L}\p{N}]\p{M}*/u.exec(word)?.[0] ?? '').toUpperCase()).join('')
}
