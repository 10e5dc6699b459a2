import { databaseFeedsSchema, type DatabaseSettings } from '../../src/feeds/database-settings.ts'

/** Returns the only database in the setting DATABASE_FEEDS. */
export function databaseFrom(setting: string): DatabaseSettings {
  const [database, ...more] = databaseFeedsSchema([]).parse(setting)
  if (!database || more.length > 0) throw new TypeError('not exactly one database')
  return database
}

/** Turnout gear in the sample. */
export const gearSetting = 'gear=2 title:{serial} {kind} date:retire fields:kind full:serial'
