/** Invalid settings, with one sentence for each error. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/** There is no sites file to start with, neither at its URL nor on this machine. */
export class SitesFileMissing extends Error {
  override readonly name = 'SitesFileMissing'
}

export function throwIfFaults(faults: readonly string[]): void {
  if (faults.length > 0) throw new ConfigError(faults)
}

/** Reports settings that have no effect, because none of the settings they depend on is set. */
export function unusedFaults(
  settings: Readonly<Record<string, unknown>>,
  names: readonly string[],
  others: readonly string[],
): readonly string[] {
  if (others.some((other) => settings[other] !== undefined)) return []
  const areMissing =
    others.length === 1 ? `${others[0]} is not` : `neither ${others.join(' nor ')} is`
  return names
    .filter((name) => settings[name] !== undefined)
    .map((name) => `${name} is set, but ${areMissing}.`)
}
