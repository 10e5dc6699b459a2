import { databaseRecipe } from '../calendar/record-recipes.ts'
import { isDatabaseRecordShown } from '../records/custom-database.ts'
import type { DatabaseResource } from '../records/resources.ts'
import { draftFromDatabase } from '../syndication/database-items.ts'
import type { DatabaseSettings } from './database-settings.ts'
import { defineFeed } from './define-feed.ts'
import type { Feed } from './feed.ts'
import type { ItemKind } from './news-feed.ts'

/** Creates the feed of a custom database, which is also a calendar if its records are dated. */
export function databaseFeed(database: DatabaseSettings): Feed<DatabaseResource> {
  const { id, name: title, databaseId, date } = database
  const about = {
    id,
    resource: `databases/${databaseId}`,
    title,
    isNamedOnly: true,
    isLinkOnly: true,
  } as const
  const items: ItemKind<DatabaseResource> = {
    draftsFrom: (record, source) => draftFromDatabase(database, record, source),
    isShown: isDatabaseRecordShown,
  }
  if (date === undefined) {
    const summary = 'Records of a database on the website, newest change first.'
    return defineFeed({ ...about, summary, boardRole: 'post', items })
  }
  const summary = 'Dates in a database on the website.'
  const calendar = { recipe: databaseRecipe(database) }
  return defineFeed({ ...about, summary, boardRole: 'agenda', calendar, items })
}
