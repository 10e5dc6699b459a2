import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { apacheIsMissing, startApache } from '../../support/apache.ts'
import { startExporting } from '../../support/export.ts'
import { nginxIsMissing, startNginxWith } from '../../support/nginx.ts'
import { exchange, requestText } from '../../support/raw-http.ts'

describe.skipIf(nginxIsMissing)('nginx with the exported rules', () => {
  test('serves each file the way the service does', async () => {
    const site = await startExporting()
    await site.once(true)
    const url = await startNginxWith(
      `root ${site.directory};\ninclude ${site.directory}/nginx.conf;`,
    )
    expect(await comparedFiles(site, url)).toBeGreaterThan(100)
  })

  test('supports conditional requests and compression, and hides files that are not part of the site', async () => {
    const site = await startExporting({
      publicUrl: 'https://example.org/feeds',
      publicFeedIds: ['events'],
      below: 'feeds',
    })
    await site.once(true)
    const url = await startNginxWith(
      `root ${dirname(site.directory)};\ninclude ${site.directory}/nginx.conf;`,
    )
    const zipped = await exchange(
      url,
      requestText('/feeds/events.ics', { headers: { 'Accept-Encoding': 'gzip' } }),
    )
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    expect(gunzipSync(zipped.body)).toEqual(readFileSync(join(site.directory, 'events.ics')))
    const plain = await exchange(url, requestText('/feeds/events.ics'))
    const again = await exchange(
      url,
      requestText('/feeds/events.ics', {
        headers: { 'If-None-Match': plain.headers['etag'] ?? '' },
      }),
    )
    expect([again.status, again.body.length]).toEqual([304, 0])
    await expectHidden(url)
  })
})

describe.skipIf(apacheIsMissing)('Apache with the exported rules', () => {
  test('serves each file the way the service does', async () => {
    const site = await startExporting()
    await site.once()
    expect(await comparedFiles(site, await startApache(site.directory))).toBeGreaterThan(100)
  })

  test('supports conditional requests, and hides files that are not part of the site', async () => {
    const site = await startExporting({
      publicUrl: 'https://example.org/feeds',
      publicFeedIds: ['events', 'news'],
      below: 'feeds',
    })
    await site.once()
    const url = await startApache(dirname(site.directory))
    const plain = await exchange(url, requestText('/feeds/events.ics'))
    const headers = { 'If-None-Match': plain.headers['etag'] ?? '' }
    const again = await exchange(url, requestText('/feeds/events.ics', { headers }))
    expect([plain.status, again.status, again.body.length]).toEqual([200, 304, 0])
    await expectHidden(url)
    const page = await exchange(url, requestText('/feeds/news'))
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  })
})

/**
 * Expects a web server to send each exported file with the headers that the service sends. Returns the
 * number of files.
 */
async function comparedFiles(site: Awaited<ReturnType<typeof startExporting>>, url: string) {
  const service = await site.serve(site.publicUrl)
  const uploads: readonly { readonly file: string; readonly key: string }[] = JSON.parse(
    readFileSync(join(site.directory, 'headers.json'), 'utf8'),
  )
  // Downloads have the names of the files.
  const ofAnswers =
    /^(?:content-disposition|etag|last-modified|content-length|connection|keep-alive|vary|server|accept-ranges|board-time|board-read|board-interval|expires|x-request-id)$/
  const sitemap = 'sitemap.xml'
  for (const { file, key } of uploads) {
    if (/^parts|^404|screen|worker/.test(file) || file === sitemap) continue
    const path = `/${key === 'index.html' ? '' : key}`
    const [mine, theirs] = [
      await exchange(url, requestText(path)),
      await exchange(service, requestText(path.replace('.jpeg', ''))),
    ]
    const headers = (all: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => !ofAnswers.test(name)))
    expect([path, mine.status, headers(mine.headers)]).toEqual([path, 200, headers(theirs.headers)])
    expect(mine.body.equals(readFileSync(join(site.directory, file)))).toBe(true)
  }
  // The service has no sitemap.
  const listed = await exchange(url, requestText(`/${sitemap}`))
  expect([listed.status, listed.headers['content-type']]).toEqual([
    200,
    'application/xml; charset=utf-8',
  ])
  expect(listed.body.equals(readFileSync(join(site.directory, sitemap)))).toBe(true)
  const part = uploads.find(({ file }) => file.startsWith('parts/news'))?.key ?? ''
  const { headers } = await exchange(url, requestText(`/${part}`))
  expect(headers['content-type']).toMatch(/^application\/\w+\+\w+; charset=utf-8$/)
  expect(headers['access-control-allow-origin']).toBe('*')
  return uploads.length
}

/** Expects files that are not part of the site, and missing ones, to be the 404 page. */
async function expectHidden(url: string) {
  for (const path of [
    '.feedhouse/manifest.json',
    '_headers',
    'nginx.conf',
    'headers.json',
    '.htaccess',
    'x.ics',
  ]) {
    const { status, headers, body } = await exchange(url, requestText(`/feeds/${path}`))
    expect([path, status]).toEqual([path, 404])
    expect(body.toString()).toContain('Page not found.')
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(/^default-src 'none';/),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-frame-options': 'SAMEORIGIN',
    })
  }
}
