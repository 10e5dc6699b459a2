import { LRUCache } from 'lru-cache'

/** Pages show the same codes repeatedly. */
const maxCached = 500

/** Shared by all sites in the process. */
const cache = new LRUCache<string, Promise<string>>({ max: maxCached, memoMethod: qrCodeSvg })

export const qrCodeOf = (text: string): Promise<string> => cache.memo(text)

/** Returns an SVG without a fixed size, dark on light, with the margin that cameras need. */
export async function qrCodeSvg(text: string): Promise<string> {
  const { toString } = await import('qrcode')
  return toString(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 })
}
