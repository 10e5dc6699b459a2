import { programPath } from './programs.ts'

/** Undefined if no browser is installed that shows notifications. */
export const fullChromiumPath = programPath('chromium', 'chromium-browser', 'google-chrome')

/**
 * Undefined if Chromium is not installed. The headless shell has the same engine without the user interface
 * of a browser, which would take half of the CPU time.
 */
export const chromiumPath = programPath('chromium-headless-shell') ?? fullChromiumPath

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
export function chromiumOptions(moreFlags: readonly string[] = [], path = chromiumPath) {
  if (path === undefined) throw new Error('there is no Chromium: install chromium-headless-shell')
  const env = { ...process.env, FONTCONFIG_FILE: undefined }
  return { executablePath: path, args: [...flags, ...moreFlags], env }
}
