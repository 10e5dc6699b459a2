/** Invalid settings, with one sentence for each error. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

export function throwIfFaults(faults: readonly string[]): void {
  if (faults.length > 0) throw new ConfigError(faults)
}
