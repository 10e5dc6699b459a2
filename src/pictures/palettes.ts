/**
 * Numbers of colors of electronic paper: 2, 4 and 16 are shades of gray, 3 adds red, 6 are the colors
 * of Spectra 6, and 7 those of ACeP.
 */
export const colorCounts = ['2', '3', '4', '6', '7', '16', 'full'] as const

export type ColorCount = (typeof colorCounts)[number]

type Rgb = readonly [red: number, green: number, blue: number]

type Ink = {
  readonly color: Rgb
  /** Its color in drawings, where each channel is fully on or off. */
  readonly drawn: Rgb
}

/**
 * Colors in a file, by index. Black is 0 and white is 1, because some displays read the index of
 * pictures with two colors instead of the palette.
 */
export type Palette =
  | { readonly kind: 'grays'; readonly levels: number }
  | { readonly kind: 'inks'; readonly inks: readonly Ink[] }
  | { readonly kind: 'full' }

const pure = (...color: Rgb): Ink => ({ color, drawn: color })

const red = pure(255, 0, 0)
const spectra = [
  pure(0, 0, 0),
  pure(255, 255, 255),
  red,
  pure(255, 255, 0),
  pure(0, 0, 255),
  pure(0, 255, 0),
]
const orange: Ink = { color: [255, 128, 0], drawn: [255, 0, 255] }

const palettes: Readonly<Record<ColorCount, Palette>> = {
  2: { kind: 'grays', levels: 2 },
  3: { kind: 'inks', inks: spectra.slice(0, 3) },
  4: { kind: 'grays', levels: 4 },
  6: { kind: 'inks', inks: spectra },
  7: { kind: 'inks', inks: [...spectra, orange] },
  16: { kind: 'grays', levels: 16 },
  full: { kind: 'full' },
}

export const paletteFor = (colors: ColorCount): Palette => palettes[colors]

/** Maximum difference in degrees between the hues of a color and its ink. */
const maxHueDifference = 60

/** Colors with less chroma count as grays, which have no hue. */
const minChroma = 40

/** Returns the color in drawings of the ink with the nearest hue, or undefined if none is near. */
export function drawnColorNear(palette: Palette, color: string): string | undefined {
  if (palette.kind !== 'inks') return palette.kind === 'full' ? color : undefined
  const hue = hueOf(rgbFrom(color))
  if (hue === undefined) return undefined
  const [nearest] = palette.inks
    .flatMap(({ color: ink, drawn }) => {
      const inkHue = hueOf(ink)
      return inkHue === undefined ? [] : [{ drawn, difference: hueDifference(hue, inkHue) }]
    })
    .filter(({ difference }) => difference <= maxHueDifference)
    .toSorted((a, b) => a.difference - b.difference)
  return nearest && hexFrom(nearest.drawn)
}

const hexFrom = (color: Rgb) => `#${Buffer.from(color).toString('hex')}`

export function rgbFrom(color: string): Rgb {
  const [red = 0, green = 0, blue = 0] = Buffer.from(color.slice(1), 'hex')
  return [red, green, blue]
}

function hueDifference(some: number, other: number): number {
  const difference = Math.abs(some - other)
  return Math.min(difference, 360 - difference)
}

/** Returns the hue in degrees, https://www.w3.org/TR/css-color-4/#rgb-to-hsl. */
function hueOf([red, green, blue]: Rgb): number | undefined {
  const max = Math.max(red, green, blue)
  const chroma = max - Math.min(red, green, blue)
  if (chroma < minChroma) return undefined
  if (max === red) return (((green - blue) / chroma + 6) % 6) * 60
  return max === green ? ((blue - red) / chroma + 2) * 60 : ((red - green) / chroma + 4) * 60
}
