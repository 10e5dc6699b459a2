/* Type sizes of boards, in pixels. */

export type Area = { readonly width: number; readonly height: number }

/** A screen with the size of its smallest readable text. */
export type Screen = Area & { readonly smallest: number }

/** Minimum height of capital letters in minutes of arc (ISO 9241-3). */
const capitalArc = 16
/** Height of capital letters in em. */
const capitalHeight = 0.7
const mmPerInch = 25.4
const arcMinutesPerRadian = (180 * 60) / Math.PI

/**
 * Minimum size of a screen, in em of its smallest text. Smaller screens would show only a few
 * words.
 */
const minScreenSide = 10.2
const minScreenArea = 185

/** Distance in meters, and diagonal in inches. */
export type Viewing = { readonly distance: number; readonly inches: number }

/**
 * Returns the size of the smallest text that is readable at a distance, or smaller text if the
 * screen is too small for it.
 */
export function smallestReadable(screen: Area, viewing: Viewing): number {
  return Math.min(readableSize(screen, viewing), largestUsable(screen))
}

/** Returns the maximum distance in meters at which a screen can have readable text. */
export function maxDistance(screen: Area, inches: number): number {
  return largestUsable(screen) / readableSize(screen, { distance: 1, inches })
}

/** Returns the largest size at which a screen has room for more than a few words. */
export const largestUsable = ({ width, height }: Area): number =>
  Math.min(Math.min(width, height) / minScreenSide, Math.sqrt((width * height) / minScreenArea))

/** Returns the text size that is readable according to ISO 9241. */
function readableSize({ width, height }: Area, { distance, inches }: Viewing): number {
  const mmPerPixel = (inches * mmPerInch) / Math.hypot(width, height)
  const capital = distance * 1000 * (capitalArc / arcMinutesPerRadian)
  return capital / capitalHeight / mmPerPixel
}

/** No blank space may be taller than this share of the screen. */
export const maxBlankShare = 0.115
/** Share of the screen's height above which text does not grow. */
const largestShare = 0.13
const sizeStep = 1.05

export const largestSize = ({ height, smallest }: Screen): number =>
  Math.max(smallest, height * largestShare)

/** Returns the largest size up to a limit that fits, or the smallest size if none does. */
export function largestThatFits(
  smallest: number,
  largest: number,
  fits: (size: number) => boolean,
): number {
  for (let size = largest; size > smallest; size /= sizeStep) if (fits(size)) return size
  return smallest
}
