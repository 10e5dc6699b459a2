import { secretNames, settingsSchema } from '../../src/config/settings.ts'

/**
 * Environment variables for all settings, including the variants that read a secret from a file.
 */
export const environmentNames: readonly string[] = [
  ...Object.keys(settingsSchema.shape),
  ...secretNames.map((name) => `${name}_FILE`),
]
