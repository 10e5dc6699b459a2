import { expect, test } from 'vitest'
import { identityFrom } from '../../../src/feeds/identity.ts'
import { createAssets } from '../../../src/http/pages/assets.ts'
import { startTestService } from '../../support/service.ts'

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
