/* Type sizes of boards, in pixels. */

/**
 * @typedef {object} Screen
 * @property {number} width
 * @property {number} height
 * @property {number} smallest Size of the smallest readable text.
 */

/** @typedef {{ readonly width: number, readonly height: number }} Area */

/** Minimum height of capital letters in minutes of arc (ISO 9241-3). */
const capitalArc = 16
/** Height of capital letters in em. */
const capitalHeight = 0.7
const mmPerInch = 25.4
const arcMinutesPerRadian = (180 * 60) / Math.PI

/** Minimum size of a screen in em of its smallest text; smaller ones would show no more than a few words. */
const minScreenSide = 10.2
const minScreenArea = 185

/**
 * @typedef {object} Viewing
 * @property {number} distance In meters.
 * @property {number} inches The screen's diagonal.
 */

/**
 * Returns the size of the smallest text that is readable at a distance, or smaller text if the screen is
 * too small for it.
 * @param {Area} area Size of the screen in pixels.
 * @param {Viewing} viewing
 */
export function smallestReadable(area, viewing) {
  return Math.min(readableSize(area, viewing), largestUsable(area))
}

/**
 * Returns the distance in meters up to which a screen can have readable text.
 * @param {Area} area Size of the screen in pixels.
 * @param {number} inches The screen's diagonal.
 */
export function maxDistance(area, inches) {
  return largestUsable(area) / readableSize(area, { distance: 1, inches })
}

/** @param {Area} area */
const largestUsable = ({ width, height }) =>
  Math.min(Math.min(width, height) / minScreenSide, Math.sqrt((width * height) / minScreenArea))

/**
 * Returns the text size that is readable according to ISO 9241.
 * @param {Area} area
 * @param {Viewing} viewing
 */
function readableSize({ width, height }, { distance, inches }) {
  const mmPerPixel = (inches * mmPerInch) / Math.hypot(width, height)
  const capital = distance * 1000 * (capitalArc / arcMinutesPerRadian)
  return capital / capitalHeight / mmPerPixel
}

/** No blank space may be higher than this share of the screen. */
export const maxBlankShare = 0.115
/** Share of the screen's height above which text does not grow. */
const largestShare = 0.13
const sizeStep = 1.05

/** @param {Screen} screen */
export const largestSize = ({ height, smallest }) => Math.max(smallest, height * largestShare)

/**
 * Returns the largest size up to a limit that fits; the smallest if none does.
 * @param {number} smallest
 * @param {number} largest
 * @param {(size: number) => boolean} fits
 */
export function largestThatFits(smallest, largest, fits) {
  for (let size = largest; size > smallest; size /= sizeStep) if (fits(size)) return size
  return smallest
}

/** Lines may be this much farther apart than usual. */
const maxStretch = 1.6

/**
 * Returns how much farther apart lines can be, so that text fills its space.
 * @param {number} height Height of the text.
 * @param {number} room
 */
export const stretchFor = (height, room) =>
  Math.min(maxStretch, Math.max(1, (0.97 * room) / height))

/** Space within cards, and line heights of their text, in em. `board.css` has the same values. */
export const cardPadding = 0.8
export const labelLine = 1.3
export const textLine = 1.35
export const textGap = 0.35
/** Texts next to others grow up to this multiple of the smallest text. */
export const maxGrowth = 1.7
