import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { expect, test } from 'vitest'
import { elementScript } from '../../src/web/embed-element.ts'
import { identityFrom } from '../../src/feeds/identity.ts'
import { createAssets, elementScripts } from '../../src/web/assets.ts'
import { oldestBrowsers } from '../../src/web/oldest-browsers.ts'
import { templates } from '../../src/web/templates.ts'
import { startTestService } from '../support/service.ts'

/**
 * Hashes used on other organizations' pages. To change a released script, add a copy with the next
 * number, and leave the old one as it is.
 */
const released = new Map([
  [
    'feedhouse-events-2.js',
    'sha384-NOUMipHZcPkWpeOliuY40P0n3e8sJVDKhJm6S4hilmQsX/Q3TyiIPy3/7OmuMvGc',
  ],
  [
    'feedhouse-events-1.js',
    'sha384-yWpWyvLihIf+Y+LufUfqktrRCMFlFldBaCUgH67GQ1DRhp+U/+uzDI3FraowH9ie',
  ],
])

const hashOf = (bytes: Buffer) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`

test('never changes a script that pages reference by its hash', () => {
  const hashes = elementScripts.map(
    (name) => [name, hashOf(readFileSync(join(templates, 'embed', name)))] as const,
  )
  expect(new Map(hashes)).toEqual(released)
})

test('serves each version forever, and the latest one at a path that stays the same', async () => {
  await using service = await startTestService({ publicFeedIds: ['events'] })
  const { pathOf } = createAssets('', identityFrom({}, 'Ashton'))
  for (const name of elementScripts) {
    const response = await fetch(`${service.url}${pathOf(name)}`)
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(hashOf(Buffer.from(await response.arrayBuffer()))).toBe(released.get(name))
  }
  const latest = await fetch(`${service.url}/feedhouse-events.js`)
  expect(latest.headers.get('cache-control')).toBe('public, max-age=3600')
  expect(latest.headers.get('access-control-allow-origin')).toBe('*')
  expect(hashOf(Buffer.from(await latest.arrayBuffer()))).toBe(elementScript.integrity)
})

test.for([elementScripts[0], 'embed.js'])('%s has only syntax that old browsers know', (name) => {
  const text = readFileSync(join(templates, 'embed', name), 'utf8')
  expect(transformSync(text, oldestBrowsers).code).toBe(transformSync(text).code)
  // The printer of esbuild writes numbers without separators.
  expect(text).not.toMatch(/\d_\d/)
})
