/** Returns a property of parsed JSON. Some websites write its name in another case. */
export function propertyOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const lowerCase = name.toLowerCase()
  const found = Object.hasOwn(value, name)
    ? name
    : Object.keys(value).find((each) => each.toLowerCase() === lowerCase)
  return found === undefined ? undefined : Reflect.get(value, found)
}

/** Returns the properties of parsed JSON that have one of these names, in any case. */
export function propertiesOf(
  value: unknown,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  const properties = names.map((name) => [name, propertyOf(value, name)] as const)
  return Object.fromEntries(properties.filter(([, each]) => each !== undefined))
}
