const mebibyte = 1024 * 1024

const limits = {
  variants: { total: 512 * mebibyte, max: 64 * mebibyte },
  pictures: { total: 256 * mebibyte, max: 48 * mebibyte },
  pages: { total: 64 * mebibyte, max: 8 * mebibyte },
}

/** Cache budget for one site, in addition to its pinned representations. */
export type CacheBudget = Readonly<Record<'variantBytes' | 'pictureBytes' | 'pageBytes', number>>

/** Divides the totals equally among the sites, up to the maximum for each site. */
export function cacheBudgetPerSite(sites: number): CacheBudget {
  const shareOf = ({ total, max }: (typeof limits)['variants']) =>
    Math.min(max, Math.floor(total / sites))
  return {
    variantBytes: shareOf(limits.variants),
    pictureBytes: shareOf(limits.pictures),
    pageBytes: shareOf(limits.pages),
  }
}
