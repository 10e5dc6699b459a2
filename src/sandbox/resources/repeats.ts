/** The values that stand in a list already, by index, with the index of the first. */
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
