import { secretNames, settingsSchema } from '../../src/config/settings.ts'

/** All environment variables of Feedhouse: the settings, and file variants of secrets. */
export const environmentNames: readonly string[] = [
  ...Object.keys(settingsSchema.shape),
  ...secretNames.map((name) => `${name}_FILE`),
]
