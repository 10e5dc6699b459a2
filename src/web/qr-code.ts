import { LRUCache } from 'lru-cache'
import { toString } from 'qrcode'

/** Pages show the same codes repeatedly. */
const maxCached = 500

/** Shared by all sites in the process. */
const cache = new LRUCache<string, Promise<string>>({ max: maxCached, memoMethod: qrCodeSvg })

export const qrCodeOf = (text: string): Promise<string> => cache.memo(text)

/** Returns an SVG without a fixed size, dark on light, with the margin that cameras need. */
export function qrCodeSvg(text: string): Promise<string> {
  return toString(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 })
}
