/** Returns repeated values by index, each with the index of its first occurrence. */
export function repeatsIn(
  values: readonly unknown[],
): readonly { readonly index: number; readonly first: number }[] {
  const firsts = new Map<unknown, number>()
  return values.flatMap((value, index) => {
    const first = firsts.get(value)
    if (first !== undefined) return [{ index, first }]
    firsts.set(value, index)
    return []
  })
}
