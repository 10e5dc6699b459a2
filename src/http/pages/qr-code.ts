import { LRUCache } from 'lru-cache'
import { toString } from 'qrcode'

/** Pages show the same codes repeatedly. */
const maxCached = 500

export type QrCodes = {
  /** Returns a cached SVG. */
  readonly svgOf: (text: string) => Promise<string>
}

export function createQrCodes(): QrCodes {
  const cache = new LRUCache<string, Promise<string>>({ max: maxCached })
  return {
    svgOf(text) {
      const cached = cache.get(text)
      if (cached) return cached
      const svg = qrCodeSvg(text)
      cache.set(text, svg)
      return svg
    },
  }
}

/** Returns an SVG without a fixed size, dark on light, with the margin that cameras need. */
export function qrCodeSvg(text: string): Promise<string> {
  return toString(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 })
}
