import { LRUCache } from 'lru-cache'
import { toString } from 'qrcode'

/** Pages show the same codes repeatedly. */
const maxCached = 500

/** Shared by all sites in the process. */
const cache = new LRUCache<string, Promise<string>>({ max: maxCached })

export function qrCodeOf(text: string): Promise<string> {
  const svg = cache.get(text) ?? qrCodeSvg(text)
  cache.set(text, svg)
  return svg
}

/** Returns an SVG without a fixed size, dark on light, with the margin that cameras need. */
export function qrCodeSvg(text: string): Promise<string> {
  return toString(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 })
}
