import { databaseRecipe } from '../calendar/record-recipes.ts'
import { isDatabaseRecordShown } from '../records/custom-database.ts'
import type { DatabaseResource } from '../records/resources.ts'
import { draftFromDatabase } from '../syndication/database-items.ts'
import type { DatabaseSettings } from './database-settings.ts'
import { defineFeed } from './define-feed.ts'
import type { Feed } from './feed.ts'
import { feedMessages } from './messages.ts'
import type { ItemKind } from './news-feed.ts'

/** Creates the feed of a custom database, which is also a calendar if its records are dated. */
export function databaseFeed(database: DatabaseSettings): Feed<DatabaseResource> {
  const { id, name: title, databaseId, date } = database
  const textIn = (language: string) => {
    const { summary, datesSummary } = feedMessages(language).databases
    return { title, summary: date === undefined ? summary : datesSummary }
  }
  const about = {
    id,
    resource: `databases/${databaseId}`,
    textIn,
    isNamedOnly: true,
    isLinkOnly: true,
  } as const
  const items: ItemKind<DatabaseResource> = {
    draftsFrom: (record, source) => draftFromDatabase(database, record, source),
    isShown: isDatabaseRecordShown,
  }
  if (date === undefined) return defineFeed({ ...about, boardRole: 'post', items })
  const calendar = { recipe: databaseRecipe(database) }
  return defineFeed({ ...about, boardRole: 'agenda', calendar, items })
}
