/** Strings in a deployed configuration, and what tests replace them with. */
export type Replacements = Readonly<Record<string, string>>

/**
 * Applies replacements. Throws if the configuration does not contain one of the strings, so that
 * tests stay in sync with it.
 */
export function withReplacements(configuration: string, replacements: Replacements): string {
  return Object.entries(replacements).reduce((text, [written, instead]) => {
    if (!text.includes(written)) throw new Error(`the configuration has no ${written}`)
    return text.replaceAll(written, instead)
  }, configuration)
}
