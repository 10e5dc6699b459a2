import { expect, test } from 'vitest'
import { reservedNames, settingsSchema } from '../../src/config/settings.ts'
import { feedIds } from '../../src/feeds/catalog.ts'
import { databaseFeedsSchema } from '../../src/feeds/database-settings.ts'
import { siteApplication } from '../http/site-application.ts'

type Layer = {
  readonly route?: { readonly path: string }
  readonly handle: { readonly stack?: readonly Layer[] }
}

function pathsOf(layers: readonly Layer[]): readonly string[] {
  return layers.flatMap(({ route, handle }) => [
    ...(route ? [route.path] : []),
    ...(handle.stack ? pathsOf(handle.stack) : []),
  ])
}

test('a feed of a custom database cannot have the name of a route', async () => {
  await using application = siteApplication()
  const { router } = application.listener as unknown as { readonly router: { stack: Layer[] } }
  // The first part of each path that a feed or one of its items could have.
  const served = pathsOf(router.stack).flatMap(
    (path) => /^\/([a-z][a-z\d]*)(?=[/{]|\.(?:ics|rss|atom|json)$|$)/.exec(path)?.[1] ?? [],
  )
  expect(served).toEqual(expect.arrayContaining(['board', 'livez', 'feeds', 'l']))
  const free = served.filter(
    (name) =>
      !feedIds.includes(name) &&
      databaseFeedsSchema(reservedNames).safeParse(`${name}=2 title:{a}`).success,
  )
  expect(free).toEqual([])
})

test.for(reservedNames)('a site cannot be below /%s', (name) => {
  const schema = settingsSchema.shape.PUBLIC_URL
  expect(schema.safeParse(`https://feeds.example.org/${name}`).success).toBe(false)
  expect(schema.safeParse(`https://feeds.example.org/${name}1`).success).toBe(true)
})
