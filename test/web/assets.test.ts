import { expect, test } from 'vitest'
import { identityFrom } from '../../src/feeds/identity.ts'
import { createAssets } from '../../src/web/assets.ts'
import { startTestService } from '../support/service.ts'

const pathFor = (color: string) =>
  createAssets('', identityFrom({ color }, 'Ashton')).pathOf('identity.css')

test('changes the path of the site’s style when its color changes', () => {
  expect(pathFor('#b3261e')).not.toBe(pathFor('#1f5fbf'))
  expect(pathFor('#b3261e')).toBe(pathFor('#b3261e'))
})

test('shows the site’s initials, name, place and color on pages, boards and embedded lists', async () => {
  const identity = { color: '#b3261e', place: 'Ashton <NY>' }
  await using service = await startTestService({ identity })
  await service.readAll()
  const textOf = async (path: string) => (await fetch(`${service.url}${path}`)).text()
  const home = await textOf('/')
  expect(home).toContain('<span class="logo" aria-hidden="true">CH</span>')
  expect(home).toContain('Ashton &lt;NY&gt;')
  const [style = ''] = /\/assets\/identity\.[^"]+/.exec(home) ?? []
  for (const path of ['/board', '/embed/events']) expect(await textOf(path)).toContain(style)
  const css = await textOf(style)
  expect(css).toContain('--accent: #b3261e')
  expect(css).toContain('--on-accent: #ffffff')
})

test('sends the current file for an asset under another hash, and 404 for unknown files', async () => {
  await using service = await startTestService()
  await service.readAll()
  const ask = (path: string) => fetch(`${service.url}${path}`)
  const pages = await Promise.all(['/', '/board'].map(async (path) => (await ask(path)).text()))
  const paths = new Set(pages.join('').match(/\/assets\/[^"]+/g))
  expect([...paths].filter((path) => path.includes('board-')).length).toBe(2)
  for (const path of paths) {
    const current = await ask(path)
    expect(current.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(current.headers.get('x-content-type-options')).toBe('nosniff')
    const older = await ask(path.replace(/[\w-]{12}(?=\/|\.\w+$)/, 'OtherHash-_0'))
    expect([older.status, older.headers.get('cache-control')]).toEqual([200, 'no-store'])
    for (const name of ['content-type', 'access-control-allow-origin']) {
      expect(older.headers.get(name)).toBe(current.headers.get(name))
    }
    expect(await older.text()).toBe(await current.text())
  }
  for (const path of ['style.css', 'other.OtherHash-_0.css', 'board-Hash/x.js', 'site-Hash/x']) {
    expect((await ask(`/assets/${path}`)).status).toBe(404)
  }
})

test('sends scripts and styles without their comments', async () => {
  await using service = await startTestService()
  const home = await (await fetch(`${service.url}/`)).text()
  const paths = [...home.matchAll(/\/assets\/(?:home|pages|style)\.[\w-]+\.(?:js|css)/g)]
  expect(paths.length).toBeGreaterThanOrEqual(4)
  for (const [path] of paths) {
    const text = await (await fetch(`${service.url}${path}`)).text()
    expect([path, text.match(/^\s*\/\*.*/gm)]).toEqual([path, null])
    expect(text.length).toBeGreaterThan(2000)
  }
})

test('sends no style with color functions that browsers from before 2024 lack', async () => {
  await using service = await startTestService()
  const { paths } = createAssets('', identityFrom({}, 'Ashton'))
  const styles = paths.filter((path) => path.endsWith('.css'))
  expect(styles.length).toBeGreaterThan(10)
  for (const path of styles) {
    const text = await (await fetch(`${service.url}${path}`)).text()
    const colors = /light-dark\(|(?<!var\(--unmixed, )color-mix\((?!in srgb, red, red\))/.exec(text)
    expect([path, colors]).toEqual([path, null])
  }
})
