/** Texts of a deployed configuration and what tests put in their place. */
export type Replacements = Readonly<Record<string, string>>

/** Throws if the configuration lacks a text: the test would run another one than the deployed. */
export function withReplacements(configuration: string, replacements: Replacements): string {
  return Object.entries(replacements).reduce((text, [written, instead]) => {
    if (!text.includes(written)) throw new Error(`the configuration has no ${written}`)
    return text.replaceAll(written, instead)
  }, configuration)
}
