const mebibyte = 1024 * 1024

/** Of all sites of a process together, and the most of each. */
const limits = {
  variants: { total: 512 * mebibyte, most: 64 * mebibyte },
  pictures: { total: 256 * mebibyte, most: 48 * mebibyte },
  pages: { total: 64 * mebibyte, most: 8 * mebibyte },
}

/** How much a site may keep beyond what is always kept, in bytes. */
export type SiteMemory = {
  readonly variantBytes: number
  readonly pictureBytes: number
  readonly pageBytes: number
}

/** In equal parts, so that all together keep within the totals. */
export function memoryOfEach(sites: number): SiteMemory {
  const partOf = ({ total, most }: (typeof limits)['variants']) =>
    Math.min(most, Math.floor(total / sites))
  return {
    variantBytes: partOf(limits.variants),
    pictureBytes: partOf(limits.pictures),
    pageBytes: partOf(limits.pages),
  }
}
