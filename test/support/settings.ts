import { secretNames, settingsSchema } from '../../src/config/settings.ts'

/** Environment variables of all settings, including file variants of secrets. */
export const environmentNames: readonly string[] = [
  ...Object.keys(settingsSchema.shape),
  ...secretNames.map((name) => `${name}_FILE`),
]
