import { existsSync } from 'node:fs'

/**
 * Undefined if Chromium is not installed. The headless shell has the same engine without the user interface
 * of a browser, which would take half of the CPU time.
 */
export const chromiumPath = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
]
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path))

const flags = [
  '--disable-gpu',
  '--disable-software-rasterizer',
  // Otherwise Chromium starts another process for each context, in case that it is needed.
  '--renderer-process-limit=1',
]

/**
 * Returns options for launching Chromium with the system's fonts. Feedhouse sets `FONTCONFIG_FILE` for
 * this process when it draws icons, and that file has no fonts.
 */
export function chromiumOptions(moreFlags: readonly string[] = []) {
  if (chromiumPath === undefined)
    throw new Error('there is no Chromium: install chromium-headless-shell')
  const env = { ...process.env, FONTCONFIG_FILE: undefined }
  return { executablePath: chromiumPath, args: [...flags, ...moreFlags], env }
}
