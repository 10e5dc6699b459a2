import type { Catalog } from '../../src/feeds/catalog.ts'
import type { FeedFormat } from '../../src/feeds/feed.ts'
import { marksIn } from './marks-in-text.ts'

/** Places in which each mark was found. */
export type FoundMarks = ReadonlyMap<string, readonly string[]>

/** Returns the marks in texts, with the names of those texts. */
export function marksInTexts(
  texts: readonly (readonly [name: string, text: string])[],
): FoundMarks {
  const found = new Map<string, string[]>()
  for (const [name, text] of texts) {
    for (const mark of marksIn(text)) found.set(mark, [...(found.get(mark) ?? []), name])
  }
  return found
}

/** Reads everything below a page, including errors. Returns the marks in bodies and headers. */
export async function marksBelow(
  page: string,
  catalog: Pick<Catalog, 'feeds' | 'combinedFeeds'>,
  feedIds: readonly string[],
): Promise<FoundMarks> {
  const texts: [string, string][] = []
  for (const path of [...pathsOf(catalog), ...boardsOf(feedIds)]) {
    const response = await fetch(`${page}${path}`)
    texts.push([path, `${JSON.stringify([...response.headers])}\n${await response.text()}`])
  }
  return marksInTexts(texts)
}

/** Returns all kinds of paths below a page. Not every viewer may open them, and some do not exist. */
function pathsOf({ feeds, combinedFeeds }: Pick<Catalog, 'feeds' | 'combinedFeeds'>) {
  return [
    '',
    '?feed=x',
    'feeds',
    'feeds.opml',
    'agenda',
    'month/2026-03',
    'month/2026-04',
    'news',
    'news?q=zq',
    'rental/free',
    'poster',
    'embed/next',
    'embed/month',
    'board?changes=1&duty=1',
    'status',
    'readyz',
    'metrics',
    'nothing',
    'members',
    'members.vcf',
    'members.vcf?version=4.0',
    'members.csv',
    'members/1.vcf',
    'forum.rss?topic=1',
    'forum.atom?topic=1',
    'forum.json?topic=1',
    'forum.rss?topic=2',
    ...[...feeds, ...combinedFeeds].flatMap(({ id, formats }) =>
      formats.flatMap((format) => queriesFor(format).map((query) => `${id}.${format}${query}`)),
    ),
    ...feeds.flatMap(({ id, formats: [format] }) => [
      `${id}/1`,
      `${id}/1.ics`,
      `${id}/3`,
      `${id}.${format}?past=x&limit=x`,
      `feeds?feed=${id}`,
      `agenda?show=${id}`,
      `embed/${id}`,
      `embed/${id}?layout=cards`,
      `embed/${id}?layout=month`,
      `board.json?show=${id}`,
    ]),
  ]
}

/** Returns the options that could show more. */
function queriesFor(format: FeedFormat): readonly string[] {
  return ['', format === 'ics' ? '?cancelled=mark&changes=note' : '?content=summary']
}

function boardsOf(feedIds: readonly string[]): readonly string[] {
  const boards = ['board', 'board.json', 'board.rss', 'board/concerto.json', 'board/new']
  return [...boards, ...boards.map((path) => `${path}?show=${feedIds.join(',')}`)]
}
