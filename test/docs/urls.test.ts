import { expect, test } from 'vitest'
import { linkPrefix } from '../../src/web/viewer.ts'
import { files, monitoringRoutes, pages } from '../../src/http/routes.ts'
import { documentOf, tableAfter } from '../support/documentation.ts'

/* Compares the URLs in docs/http.md with the routes. */

const routes = [...pages, ...files, ...monitoringRoutes].map(({ method, path, cached }) => {
  const isBelow = path.startsWith(linkPrefix)
  const below = isBelow ? path.slice(linkPrefix.length) : path
  return { url: below.replaceAll(/:(\w+)/g, '{$1}'), method: method.toUpperCase(), isBelow, cached }
})

function methodsOf(url: string, place: { readonly isBelow: boolean }): string {
  const methods = routes
    .filter((route) => route.url === url && route.isBelow === place.isBelow)
    .map(({ method }) => method)
  return [...new Set(methods)].join(', ')
}

const cachingOf = (url: string) =>
  routes.find((route) => route.url === url && route.method === 'GET')?.cached

test('the documentation lists every URL, its methods, where it exists, and how it is cached', () => {
  const rows = tableAfter('## URLs', documentOf('docs/http.md'))
  const documented = rows.map((row) => [
    row['URL'],
    row['publicly'],
    row['below links'],
    row['cached'],
  ])
  const urls = [...new Set(routes.map(({ url }) => url))].filter((url) => url !== '')
  const expected = urls.map((url) => [
    `\`${url}\``,
    methodsOf(url, { isBelow: false }),
    methodsOf(url, { isBelow: true }),
    cachingOf(url),
  ])
  expect(documented).toEqual(expected)
})
