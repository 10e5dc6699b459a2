import { LRUCache } from 'lru-cache'
import { toString } from 'qrcode'

/** Pages show the same codes repeatedly. */
const maxKept = 500

export type QrCodes = {
  /** Returns an SVG without a fixed size, dark on light, with the margin that cameras need. */
  readonly svgOf: (text: string) => Promise<string>
}

export function createQrCodes(): QrCodes {
  const kept = new LRUCache<string, Promise<string>>({ max: maxKept })
  return {
    svgOf(text) {
      const known = kept.get(text)
      if (known) return known
      const made = toString(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 })
      kept.set(text, made)
      return made
    },
  }
}
