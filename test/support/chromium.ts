import { existsSync, mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse, { type Result } from 'lighthouse'
import { chromium } from 'playwright-core'

/** Undefined if Chromium is not installed. */
export const chromiumPath = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path))

const flags = ['--disable-gpu', '--disable-software-rasterizer']

/**
 * Returns options for launching Chromium with the system's fonts. Feedhouse sets `FONTCONFIG_FILE` for
 * this process when it draws icons, and that file has no fonts.
 */
export function chromiumOptions(moreFlags: readonly string[] = []) {
  if (chromiumPath === undefined) throw new Error('there is no Chromium: install chromium')
  const env = { ...process.env, FONTCONFIG_FILE: undefined }
  return { executablePath: chromiumPath, args: [...flags, ...moreFlags], env }
}

type LighthouseCategory = 'accessibility' | 'best-practices' | 'performance' | 'seo'

/**
 * By default, Lighthouse waits several seconds for each page to become idle. This affects only the
 * measurements of its performance.
 */
const withoutPauses = {
  pauseAfterFcpMs: 0,
  pauseAfterLoadMs: 0,
  networkQuietThresholdMs: 0,
  cpuQuietThresholdMs: 0,
}

/** Starts a Chromium in which Lighthouse audits pages as on a phone with a slow connection. */
export async function startLighthouse() {
  await using starting = new AsyncDisposableStack()
  const directory = starting.use(mkdtempDisposableSync(join(tmpdir(), 'feedhouse-lighthouse-')))
  starting.use(
    await chromium.launchPersistentContext(
      directory.path,
      chromiumOptions(['--remote-debugging-port=0']),
    ),
  )
  const [port] = readFileSync(join(directory.path, 'DevToolsActivePort'), 'utf8').split('\n')
  const running = starting.move()
  return {
    /** Audits one page at a time. */
    async audit(url: string, categories: readonly LighthouseCategory[]): Promise<Result> {
      const result = await lighthouse(url, {
        port: Number(port),
        onlyCategories: [...categories],
        // There is no such file, and on a busy machine, the request for it takes too long.
        skipAudits: ['robots-txt'],
        ...(categories.includes('performance') ? {} : withoutPauses),
        logLevel: 'error',
      })
      if (!result) throw new Error(`Lighthouse has no result for ${url}`)
      const { runtimeError } = result.lhr
      if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`)
      return result.lhr
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
