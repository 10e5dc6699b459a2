import { createCatalog } from '../../src/feeds/catalog.ts'
import { members } from '../../src/feeds/catalog/members.ts'
import type { Feed } from '../../src/feeds/feed.ts'
import type { Profile } from '../../src/records/profile.ts'
import {
  databaseIdFrom,
  endpointOf,
  resources,
  type FeedResource,
} from '../../src/records/resources.ts'
import { datasetFrom, type Dataset } from '../../src/sandbox/resources/resources.ts'
import { databaseFrom } from '../support/database-settings.ts'
import { fieldsTableOf, namesIn, seenBy } from '../support/documented-fields.ts'
import { markedRecord, markOf } from '../support/marked-record.ts'

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

/** Text like `zqnews_images_captionzq`. Random keys never start with the name of a resource. */
const mark = new RegExp(String.raw`zq(?:${resources.join('|')})_[a-z\d_]+?zq`, 'gi')

/**
 * Returns the marks in a text, in lowercase. Also finds those that are folded, escaped, in pieces of
 * HTML, or in base64.
 */
export function marksIn(text: string): ReadonlySet<string> {
  const found = [text, base64In(text).join('\n')].flatMap((each) => {
    const plain = decoded(each)
    const forms = [each, plain, plain.replaceAll(/<[^>]*>/g, '')]
    return forms.flatMap((form) => form.match(mark) ?? [])
  })
  return new Set(found.map((each) => each.toLowerCase()))
}

/** Decodes line folding, percent-encoding, and character references in HTML, XML and JSON. */
function decoded(text: string): string {
  return text
    .replaceAll(/\r?\n[ \t]/g, '')
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/[\u00ad\u200b\u200c\u2060]/g, '')
    .replaceAll(/&(?:shy|ZeroWidthSpace);/g, '')
    .replaceAll(/&#x([\da-f]+);/gi, (_, code: string) => character(code, 16))
    .replaceAll(/&#(\d+);/g, (_, code: string) => character(code, 10))
    .replaceAll(/(?:\\u00|\\x|%|=)([\da-f]{2})/gi, (_, code: string) => character(code, 16))
    .replaceAll('\\', '')
}

function character(code: string, radix: number): string {
  return String.fromCharCode(Number.parseInt(code, radix))
}

function base64In(text: string): readonly string[] {
  return [...text.matchAll(/[\w+/-]{16,}={0,2}/g)].flatMap(([found]) =>
    [0, 1, 2, 3].map((start) => Buffer.from(found.slice(start), 'base64').toString('latin1')),
  )
}
