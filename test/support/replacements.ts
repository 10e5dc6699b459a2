/** Texts of a deployed configuration with their replacements for tests. */
export type Replacements = Readonly<Record<string, string>>

/** Throws if the configuration lacks a text: the test would not run the deployed one. */
export function withReplacements(configuration: string, replacements: Replacements): string {
  return Object.entries(replacements).reduce((text, [written, instead]) => {
    if (!text.includes(written)) throw new Error(`the configuration has no ${written}`)
    return text.replaceAll(written, instead)
  }, configuration)
}
