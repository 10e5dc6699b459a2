import type { Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import type { Option, ValuesOf, ValueType } from '../../options/option.ts'
import { flag, oneOf } from '../../options/value-types.ts'
import type { Rotation, Size } from '../../pictures/indexed-picture.ts'
import { colorCounts } from '../../pictures/palettes.ts'
import { boardOptions, withBoardOptions } from './board-options.ts'

/** Limits of each side in pixels. */
export const pictureSides = { min: 100, max: 2560 }

/** The front does not cache the files of larger pictures. 1872x1404 is a common display. */
const maxPixels = 2_700_000

const { min, max } = pictureSides

const size: ValueType<Size> = {
  read([text = '']) {
    const [, width = 0, height = 0] = (/^(\d{1,5})x(\d{1,5})$/.exec(text) ?? []).map(Number)
    const isAllowed = [width, height].every((side) => side >= min && side <= max)
    return isAllowed && width * height <= maxPixels ? { width, height } : undefined
  },
  format: ({ width, height }) => `${width}x${height}`,
  expected: () =>
    `WIDTHxHEIGHT in pixels, each from ${min} to ${max}, with at most ${maxPixels.toLocaleString('en')} pixels in all, like size=800x480`,
}

function decimal(least: number, most: number): ValueType<number> {
  return {
    read([text = '']) {
      const number = /^\d{1,3}(?:\.\d{1,2})?$/.test(text) ? Number(text) : NaN
      return number >= least && number <= most ? number : undefined
    },
    format: String,
    expected: () => `a number from ${least} to ${most}`,
  }
}

const quarterTurns: readonly Rotation[] = [0, 90, 180, 270]

const rotation: ValueType<Rotation> = {
  read: ([text]) => quarterTurns.find((degrees) => String(degrees) === text),
  format: String,
  expected: () => 'the degrees 0, 90, 180 or 270 on pictures',
}

const { rotate: _seconds, hasMotion: _motion, ...shared } = boardOptions

/** Options in the URL of a board's picture, except `show`. */
export const pictureOptions = {
  ...shared,
  /** Size of the file. After a quarter turn, the content's width is the file's height. */
  size: { name: 'size', type: size, defaultValue: { width: 800, height: 480 } },
  /** Two-color pictures are within the limits of all displays. */
  colors: { name: 'colors', type: oneOf(colorCounts), defaultValue: '2' },
  isDithered: { name: 'dither', type: flag, defaultValue: true },
  rotation: { name: 'rotate', type: rotation, defaultValue: 0 },
  theme: { ...boardOptions.theme, defaultValue: 'light' },
  /** Distance in meters and diagonal in inches, by default of a frame on a desk or next to a door. */
  distance: { name: 'distance', type: decimal(0.2, 10), defaultValue: 0.5 },
  inches: { name: 'inches', type: decimal(2, 200), defaultValue: 7.5 },
  hasQrCode: { ...boardOptions.hasQrCode, defaultValue: false },
} satisfies Readonly<Record<string, Option<unknown>>>

export type PictureOptions = ValuesOf<ReturnType<typeof pictureOptionsFor>>

export const pictureOptionsFor = (feeds: readonly Feed[], site: Site, offered: readonly Feed[]) =>
  withBoardOptions(pictureOptions, feeds, site, offered)
