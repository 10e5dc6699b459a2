import { channelsOf, colorType } from '../calendar/color.ts'
import { defaultLanguage } from '../records/language.ts'
import { spokenLanguage, type Language } from '../records/messages.ts'

export type Identity = {
  /** One or two letters, shown if there is no logo. */
  readonly initials: string
  /** Town and state, like "Cedar Hollow, NY". */
  readonly place: string | undefined
  /** The configured site color, or a default. Use `colors` on pages. */
  readonly color: string
  /** Readable variants of the color. */
  readonly colors: AccentColors
  /** Absolute path or https URL of the logo. */
  readonly logo: string | undefined
}

export type IdentitySettings = {
  readonly color?: string | undefined
  readonly place?: string | undefined
  readonly logo?: string | undefined
}

/** Words that are skipped in initials, by language. */
const smallWords: Readonly<Record<Language, string>> = {
  en: 'a an and for in of on the www',
  es: 'a de del el en la las los para y www',
  fr: 'à au aux de des du en et la le les pour www',
  de: 'am an der des die das für im in und von vom zu zum zur www',
}

/** French `d’` and `l’` at the start of a word. */
const elided = /(?<!\p{L})[dl]['’](?=\p{L})/giu

export function identityFrom(
  { color: chosen, place, logo, ...others }: IdentitySettings,
  name: string,
  language = defaultLanguage,
): Identity {
  const color = chosen ?? defaultColor(name)
  const colors = accentColors(color)
  return { initials: initialsOf(name, language), place, color, colors, logo, ...others }
}

/** Returns the first letters of the first two words, like "CH" for "Cedar Hollow Fire Department". */
function initialsOf(name: string, language: string): string {
  const spoken = spokenLanguage(language)
  const whole = spoken === 'fr' ? name.replaceAll(elided, '') : name
  const words = whole.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu) ?? []
  const isHost = !name.includes(' ') && name.includes('.')
  const small = smallWords[spoken].split(' ')
  const large = words.filter((word) => !small.includes(word.toLowerCase()))
  const used = (large.length > 0 ? large : words).slice(0, isHost ? 1 : 2)
  return used.map((word) => (/^[\p{L}\p{N}]\p{M}*/u.exec(word)?.[0] ?? '').toUpperCase()).join('')
}

/*
 * The site's color, adjusted so that text stays readable (WCAG 2.2, 1.4.3). Colors are six lowercase hex
 * digits with "#".
 */

export type Accent = {
  /** Color of links, and background of the main button. */
  readonly accent: string
  readonly onAccent: string
}

export type AccentColors = {
  readonly light: Accent
  readonly dark: Accent
  /** The unchanged site color, for areas such as icons, with black or white text. */
  readonly brand: Accent
}

/** Type of an option for an accent color. Its values are six hexadecimal digits. */
export const accentType = colorType

export const minContrast = 4.5

/** Share of the accent color in tinted backgrounds, such as date tiles. */
export const tint = 0.14

/** Backgrounds of pages and boards on which the accent color has the least contrast. */
const surfaces = { light: '#eef0f2', dark: '#262b31' } as const

const onAccent = { light: '#ffffff', dark: '#14171a' } as const

/** Colors for sites that have not chosen one. */
const defaults = ['#b3261e', '#1f5fbf', '#1a7f37', '#7a3db8', '#96560a', '#0b6e80'] as const

/** Returns a color for a site that has not chosen one. It is always the same for the same name. */
export function defaultColor(name: string): string {
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003
  return defaults[sum % defaults.length] ?? defaults[0]
}

/** Returns readable colors with the hue of a site's color and a lightness as close as possible. */
export function accentColors(color: string): AccentColors {
  return {
    light: { accent: readableOn(surfaces.light, color, -1), onAccent: onAccent.light },
    dark: { accent: readableOn(surfaces.dark, color, 1), onAccent: onAccent.dark },
    brand: { accent: color, onAccent: textOn(color) },
  }
}

/** Returns the ratio of two colors' luminance, from 1 to 21. */
export function contrastBetween(some: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(some), luminanceOf(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Mixes a share of one color into another, like `color-mix(in srgb, …)`. */
export function mixed(share: number, color: string, background: string): string {
  const others = channelsOf(background)
  return hexFrom(channelsOf(color).map((each, i) => each * share + (others[i] ?? 0) * (1 - share)))
}

/** Returns white, or black if white has too little contrast. One of them always has enough. */
function textOn(color: string): string {
  return contrastBetween(color, '#ffffff') >= minContrast ? '#ffffff' : '#000000'
}

/** Changes the lightness in steps of a percent until the color is readable, even on its own tint. */
function readableOn(surface: string, color: string, step: 1 | -1): string {
  const isReadable = (each: string) =>
    contrastBetween(each, mixed(tint, each, surface)) >= minContrast
  let shown = color
  for (let percent = 1; !isReadable(shown) && percent <= 100; percent += 1) {
    shown = lightened(color, (step * percent) / 100)
  }
  return shown
}

/** Relative luminance, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function hexFrom(channels: readonly number[]): string {
  return `#${channels.map((each) => Math.round(each).toString(16).padStart(2, '0')).join('')}`
}

/** Adds to a color's HSL lightness, up to 1. The hue and the saturation stay the same. */
function lightened(color: string, more: number): string {
  const channels = channelsOf(color).map((channel) => channel / 255)
  const old = (Math.max(...channels) + Math.min(...channels)) / 2
  const lightness = Math.min(1, Math.max(0, old + more))
  // The channels of black and white do not differ from the lightness.
  const scale = chromaAt(lightness) / (chromaAt(old) || 1)
  return hexFrom(channels.map((channel) => (lightness + (channel - old) * scale) * 255))
}

/** Largest difference between channels at a lightness, https://www.w3.org/TR/css-color-4/#rgb-to-hsl. */
function chromaAt(lightness: number): number {
  return 1 - Math.abs(2 * lightness - 1)
}
