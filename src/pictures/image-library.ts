import { join } from 'node:path'
import pLimit from 'p-limit'
import type sharpLibrary from 'sharp'

/** The library sharp, which is loaded when the first image is made. */
export type Sharp = typeof sharpLibrary

export const imageLimits = {
  /** Larger pictures are not decoded. */
  maxPixels: 40_000_000,
  timeoutSeconds: 10,
  /** Maximum number of images waiting for the process. */
  maxWaiting: 200,
}

/** Images are made one at a time for all sites, because decoded pictures take much memory. */
const limited = pLimit(1)

/** Configuration without any fonts on the system, so that images are the same on every server. */
export const fontsFile = join(import.meta.dirname, 'fonts.conf')

let loading: Promise<Sharp | undefined> | undefined

/** Loads the library. Resolves to undefined on platforms that it does not support. */
function load(): Promise<Sharp | undefined> {
  loading ??= import('sharp').then(
    ({ default: sharp }) => {
      sharp.cache(false)
      sharp.concurrency(1)
      return sharp
    },
    () => undefined,
  )
  return loading
}

/**
 * Makes an image. Resolves to undefined if the source is broken, if too many images are waiting, or if
 * the library does not support this platform.
 */
export async function makeImage<T>(work: (sharp: Sharp) => Promise<T>): Promise<T | undefined> {
  if (limited.pendingCount >= imageLimits.maxWaiting) return undefined
  return limited(async () => {
    const sharp = await load()
    return sharp && work(sharp).catch(() => undefined)
  })
}
