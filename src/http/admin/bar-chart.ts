/** A bar in a chart: an hour or a day, and its count. */
export type Bar = {
  readonly label: string
  readonly count: number
  /** Breakdown of the count. */
  readonly detail?: string
}

/** Size of the picture in its own units. The labels below it are text on the page. */
const size = { width: 600, height: 120 }
const gap = 3
/** Height of a bar with a very low count. */
const minHeight = 2

/** Returns the geometry of a bar chart. `limit` is a count marked with a horizontal line. */
export function barChart(bars: readonly Bar[], limit?: number) {
  const most = Math.max(1, limit ?? 0, ...bars.map(({ count }) => count))
  const width = size.width / Math.max(1, bars.length)
  const heightOf = (count: number) => (count / most) * size.height
  return {
    ...size,
    most: Math.max(0, ...bars.map(({ count }) => count)),
    total: bars.reduce((sum, { count }) => sum + count, 0),
    limitY: limit === undefined ? undefined : round(size.height - heightOf(limit)),
    hasDetails: bars.some(({ detail }) => detail !== undefined),
    bars: bars.map(({ label, count, detail }, index) => {
      const height = count === 0 ? 0 : Math.max(minHeight, heightOf(count))
      return {
        label,
        count,
        detail,
        x: round(index * width + gap / 2),
        y: round(size.height - height),
        width: round(width - gap),
        height: round(height),
      }
    }),
  }
}

const round = (value: number) => Math.round(value * 10) / 10
