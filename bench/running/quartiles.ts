export type Quartiles = {
  readonly lower: number
  readonly median: number
  readonly upper: number
}

export function quartilesFrom(values: readonly number[]): Quartiles {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => {
    const index = (sorted.length - 1) * part
    const [below = Number.NaN, above = below] = sorted.slice(Math.floor(index))
    return below + (above - below) * (index % 1)
  }
  return { lower: at(0.25), median: at(0.5), upper: at(0.75) }
}
