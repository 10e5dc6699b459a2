import { createCatalog } from '../../src/feeds/catalog.ts'
import { members } from '../../src/feeds/catalog/members.ts'
import type { Feed } from '../../src/feeds/feed.ts'
import type { Profile } from '../../src/records/profile.ts'
import { databaseIdFrom, endpointOf, type FeedResource } from '../../src/records/resources.ts'
import { datasetFrom, type Dataset } from '../../src/sandbox/resources/resources.ts'
import { databaseFrom } from './database-settings.ts'
import { fieldsTableOf, namesIn, seenBy } from './documented-fields.ts'
import { markedRecord, markOf } from './marked-record.ts'

export const markedDatabase = databaseFrom(
  'gear=1 title:{serial} date:retire fields:kind full:notes',
)

/** Feeds of a site that also has a custom database. */
export const markedCatalog = createCatalog([markedDatabase])

const { feeds } = markedCatalog

/** Start of the marks of a resource. */
const nameOf = (resource: FeedResource) => `${resource.replace('/', '_')}_`
const databaseName = 'databases_'

/** Values that hide a record from everyone: Offline, or not deployed. */
const hiddenBy: Readonly<Partial<Record<FeedResource, object>>> = {
  announce: { status: 1 },
  calendar: { status: 1 },
  discuss: { status: 2 },
  documents: { status: 1 },
  events: { status: 1 },
  minutes: { status: 1 },
  news: { deployed: 0 },
  signup: { status: 1 },
  'training/presentations': { status: 0 },
  'training/quizzes': { status: 0 },
}

/**
 * Returns a website whose texts all contain their own mark. Each list has a record that everyone who can
 * read its feed can see, and if possible, a hidden one.
 */
export function markedDataset(): Dataset {
  const resources = new Set(['members', ...feeds.map(({ resource }) => resource)] as const)
  const records = new Map<string, object[]>()
  for (const resource of resources) {
    if (databaseIdFrom(resource) !== undefined) continue
    const { record } = markedRecord(resource, nameOf(resource))
    const hidden = { ...markedRecord(resource, `hidden_${nameOf(resource)}`).record, id: 2 }
    const change = hiddenBy[resource]
    const list = records.get(endpointOf(resource)) ?? []
    const added = change ? [record, { ...hidden, ...change }] : [record]
    records.set(endpointOf(resource), [...list, ...added])
  }
  return datasetFrom({ ...Object.fromEntries(records), databases: [database()] })
}

function database() {
  const columns = ['serial', 'kind', 'notes', 'other']
  const marked = (id: number, name: string) => ({
    id,
    retire: '2026-03-06',
    ...Object.fromEntries(columns.map((column) => [column, markOf(column, name)])),
  })
  return {
    id: 1,
    title: markOf('title', databaseName),
    description: markOf('description', databaseName),
    type: markOf('type', databaseName),
    fields: [...columns, 'retire'].map((name) => ({ name, title: name, type: 'text', primary: 0 })),
    records: [marked(1, databaseName), { ...marked(2, `hidden_${databaseName}`), archived: 1 }],
  }
}

/** Returns the marks that the tables in docs/feeds.md allow a profile to see in these feeds. */
export function documentedMarks(shown: readonly Feed[], profile: Profile): readonly string[] {
  return shown.flatMap((feed) =>
    databaseIdFrom(feed.resource) === undefined
      ? marksOf(feed, profile)
      : ['serial', 'kind', ...(profile === 'full' ? ['notes'] : [])].map((column) =>
          markOf(column, databaseName),
        ),
  )
}

/** Returns the marks of the members' contact data that the table in docs/feeds.md allows. */
export function memberMarks(): readonly string[] {
  const about = { id: members.id, resource: 'members', formats: ['vcf', 'csv'] } as const
  // Types of phones are replaced by the nearest type that vCards have.
  return marksOf(about, 'full').filter((mark) => !mark.endsWith('typezq'))
}

function marksOf(
  {
    id,
    resource,
    formats,
  }: Pick<Feed, 'id' | 'resource'> & { readonly formats: readonly string[] },
  profile: Profile,
): readonly string[] {
  const { marked } = markedRecord(resource)
  const rows = fieldsTableOf({ id }).filter((row) => seenBy(row).includes(profile))
  const fields = rows.flatMap((row) =>
    formats.some((format) => namesIn(row[`.${format}`]).length > 0) ? namesIn(row['field']) : [],
  )
  return fields
    .filter((field) => marked.includes(field))
    .map((field) => markOf(field, nameOf(resource)).toLowerCase())
}
