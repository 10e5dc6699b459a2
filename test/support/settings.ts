import { secretNames, settingsSchema } from '../../src/config/settings.ts'

/** Every variable that Feedhouse reads: the settings, and the files of those that are secrets. */
export const environmentNames: readonly string[] = [
  ...Object.keys(settingsSchema.shape),
  ...secretNames.map((name) => `${name}_FILE`),
]
