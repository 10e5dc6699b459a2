import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { filesIn, startExporting } from '../support/export.ts'
import { startHttpServer } from '../support/http-server.ts'

vi.setConfig({ testTimeout: 60_000 })

/** Starts a host that finds only files and `index.html`, and redirects to directories. */
function startSimpleHost(directory: string, below: string): Promise<string> {
  return startHttpServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0]?.slice(below.length) ?? '/'
    const file = join(directory, path.endsWith('/') ? `${path}index.html` : path)
    if (!existsSync(file)) return void response.writeHead(404).end()
    if (!statSync(file).isDirectory()) return void response.end(readFileSync(file))
    response.writeHead(301, { Location: `${below}${path}/` }).end()
  })
}

test('pages in directories work on hosts that only find index.html, also below a path', async () => {
  const site = await startExporting({ publicFeedIds: ['calendar', 'events', 'news'] })
  const url = `${await startSimpleHost(site.directory, '/feeds')}/feeds`
  const config = readConfig({ EXPORT_LANGUAGES: 'es' })
  await site.once(false, { publicUrl: url, config, hasDirectories: true })
  const seen = new Set<string>()
  const missing: string[] = []
  const waiting = [`${url}/`, `${url}/board`, `${url}/es/board`]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (seen.has(at)) continue
    seen.add(at)
    const response = await fetch(at)
    if (response.status !== 200) missing.push(at)
    const text = await response.text()
    if (!text.includes('<!doctype html>')) continue
    const base = /<base href="([^"]+)"/.exec(text)?.[1] ?? response.url
    const links = [...text.matchAll(/ (?:href|src)="([^"?#]+)"|; url=([^"]+)"/g)]
    for (const [, link, target = link ?? ''] of links) {
      const { href } = new URL(target.replaceAll('&amp;', '&'), base)
      if (href.startsWith(`${url}/`)) waiting.push(href)
    }
  }
  expect(missing).toEqual([])
  for (const path of ['/agenda', '/news', '/es/agenda', '/board.html', '/es/board.html']) {
    expect(seen).toContain(`${url}${path}`)
  }
  expect([...seen].filter((at) => /\/events\/\d+$/.test(at)).length).toBeGreaterThan(1)
  expect((await fetch(`${url}/board/screen.json`)).status).toBe(200)
  const link = await (await fetch(`${url}/board/`)).text()
  const [, script = ''] = /<script>(.*)<\/script>/.exec(link) ?? []
  const opened: string[] = []
  const replace = (at: string) => opened.push(at)
  runInNewContext(script, { location: { replace, search: '?zoom=2', hash: '#x' } })
  expect(opened).toEqual(['/feeds/board.html?zoom=2#x'])
})

test('writes only headers.json as rules, whose keys are the files, and removes the other layout', async () => {
  const site = await startExporting({ publicFeedIds: ['events', 'news'] })
  await site.once()
  const { counts } = await site.once(false, { hasDirectories: true })
  expect(counts.removed).toBeGreaterThan(3)
  const files = [...filesIn(site.directory).keys()]
  expect(files.filter((file) => file.endsWith('.html') && !file.endsWith('/index.html'))).toEqual(
    expect.arrayContaining(['404.html', 'board.html', 'index.html']),
  )
  expect(files).not.toContain('.htaccess')
  expect(files).not.toContain('agenda.html')
  const uploads: readonly { readonly file: string; readonly key: string }[] = JSON.parse(
    readFileSync(join(site.directory, 'headers.json'), 'utf8'),
  )
  expect(uploads.filter(({ file, key }) => file !== key)).toEqual([])
  expect(uploads.map(({ file }) => file)).toEqual(
    expect.arrayContaining(['agenda/index.html', 'board/index.html', 'sitemap.xml']),
  )
  expect((await site.once(false, { hasDirectories: true })).counts.written).toBe(0)
})
