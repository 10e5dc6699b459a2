import { mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Result } from 'lighthouse'
import { chromium } from 'playwright-core'
import { chromiumOptions } from '../../support/chromium.ts'
import { installLocked } from '../../support/locked-packages.ts'

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

/**
 * Starts a Chromium in which Lighthouse audits pages as on a phone with a slow connection. Installs
 * Lighthouse first if necessary.
 */
export async function startLighthouse() {
  await installLocked(import.meta.dirname)
  const { default: lighthouse } = await import('lighthouse')
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
