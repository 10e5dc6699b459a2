const mebibyte = 1024 * 1024

/** Of all sites of a process together, and the most of each. */
const limits = {
  variants: { total: 512 * mebibyte, max: 64 * mebibyte },
  pictures: { total: 256 * mebibyte, max: 48 * mebibyte },
  pages: { total: 64 * mebibyte, max: 8 * mebibyte },
}

/** How much a site may keep beyond what is always kept, in bytes. */
export type CacheBudget = {
  readonly variantBytes: number
  readonly pictureBytes: number
  readonly pageBytes: number
}

/** In equal parts, so that all together keep within the totals. */
export function cacheBudgetPerSite(sites: number): CacheBudget {
  const partOf = ({ total, max }: (typeof limits)['variants']) =>
    Math.min(max, Math.floor(total / sites))
  return {
    variantBytes: partOf(limits.variants),
    pictureBytes: partOf(limits.pictures),
    pageBytes: partOf(limits.pages),
  }
}
