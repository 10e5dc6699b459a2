import { expect, test } from 'vitest'
import { reservedNames, settingsSchema } from '../../src/config/settings.ts'
import { feedIds } from '../../src/feeds/catalog.ts'
import { databaseFeedsSchema } from '../../src/feeds/database-settings.ts'
import { files, monitoringRoutes, pages } from '../../src/http/routes.ts'

test('a feed of a custom database cannot have the name of a route', () => {
  // The first part of each path that a feed or one of its items could have.
  const served = [...pages, ...files, ...monitoringRoutes].flatMap(
    ({ path }) => /^\/([a-z][a-z\d]*)(?=[/{]|\.(?:ics|rss|atom|json)$|$)/.exec(path)?.[1] ?? [],
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
