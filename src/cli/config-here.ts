import { configIn, type Config } from '../config.ts'

/** The settings of the working directory, for a command that says what is odd about them at once. */
export function configHere(): Config {
  const { config, warnings } = configIn(process.cwd())
  for (const warning of warnings) process.stderr.write(`Warning: ${warning}\n`)
  return config
}
