/* Type sizes of boards, in pixels. */

/** @typedef {{ readonly width: number, readonly height: number }} Area */

/**
 * @typedef {Area & { readonly smallest: number }} Screen Includes the size of the smallest readable
 *   text.
 */

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

/** @typedef {{ readonly distance: number, readonly inches: number }} Viewing In meters, and the diagonal. */

/**
 * Returns the size of the smallest text that is readable at a distance, or smaller text if the screen is
 * too small for it.
 * @type {(screen: Area, viewing: Viewing) => number}
 */
export function smallestReadable(screen, viewing) {
  return Math.min(readableSize(screen, viewing), largestUsable(screen))
}

/**
 * Returns the maximum distance in meters at which a screen can have readable text.
 * @type {(screen: Area, inches: number) => number}
 */
export function maxDistance(screen, inches) {
  return largestUsable(screen) / readableSize(screen, { distance: 1, inches })
}

/**
 * Returns the largest size at which a screen has room for more than a few words.
 * @type {(area: Area) => number}
 */
export const largestUsable = ({ width, height }) =>
  Math.min(Math.min(width, height) / minScreenSide, Math.sqrt((width * height) / minScreenArea))

/**
 * Returns the text size that is readable according to ISO 9241.
 * @type {(area: Area, viewing: Viewing) => number}
 */
function readableSize({ width, height }, { distance, inches }) {
  const mmPerPixel = (inches * mmPerInch) / Math.hypot(width, height)
  const capital = distance * 1000 * (capitalArc / arcMinutesPerRadian)
  return capital / capitalHeight / mmPerPixel
}

/** No blank space may be taller than this share of the screen. */
export const maxBlankShare = 0.115
/** Share of the screen's height above which text does not grow. */
const largestShare = 0.13
const sizeStep = 1.05

/** @type {(screen: Screen) => number} */
export const largestSize = ({ height, smallest }) => Math.max(smallest, height * largestShare)

/**
 * Returns the largest size up to a limit that fits, or the smallest size if none does.
 * @type {(smallest: number, largest: number, fits: (size: number) => boolean) => number}
 */
export function largestThatFits(smallest, largest, fits) {
  for (let size = largest; size > smallest; size /= sizeStep) if (fits(size)) return size
  return smallest
}
