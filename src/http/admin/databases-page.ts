import { isDeepStrictEqual } from 'node:util'
import { reservedNames } from '../../config/settings.ts'
import {
  dateSentences,
  suggestedDatabase,
  unknownFieldSentences,
  databaseFeedsSchema,
  feedName,
  settingFrom,
  type DatabaseSettings,
} from '../../feeds/database-settings.ts'
import {
  databaseTime,
  databaseTitle,
  shownFields,
  type DatabaseSample,
} from '../../records/custom-database.ts'
import { longDayInWords } from '../../records/date-words.ts'
import type { RecordOf } from '../../records/read-records.ts'
import type { AdminContext } from './admin-routes.ts'

const maxPreviewed = 5

export type DatabaseReading<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: string }

/** Reads custom databases from the website, for the form that composes their settings. */
export type DatabaseReader = {
  readonly list: () => Promise<DatabaseReading<readonly RecordOf['databases'][]>>
  readonly sample: (database: RecordOf['databases']) => Promise<DatabaseReading<DatabaseSample>>
}

/** Field of the form that is sent with every choice. */
const submittedField = 'chosen'

/** Prefix of the names of form fields that stand for the database's fields. */
const shownPrefix = 'show.'

/** Serves the form that composes the setting `DATABASE_FEEDS`. It changes nothing. */
export function databasesPage({ site, actions, page }: AdminContext): void {
  const { databases } = actions
  const { isInSitesFile } = actions.settings
  const { databases: configured = [] } = site

  async function chosenIn(query: URLSearchParams, database: RecordOf['databases']) {
    const reading = await databases.sample(database)
    if (!reading.ok) return { fault: reading.fault }
    const sample = reading.value
    const chosen = databaseFromForm(query, sample, configured)
    const setting = composedSetting(chosen, sample, configured, isInSitesFile)
    const preview = databasePreview(chosen, sample, site.url)
    const choices = fieldChoices(chosen, sample)
    return { chosen: { sample, database: chosen, choices, setting, preview } }
  }

  page('/databases', async (query) => {
    const listed = await databases.list()
    const wanted = listed.ok && listed.value.find(({ id }) => String(id) === query.get('database'))
    const list = listed.ok ? { listed: listed.value } : { listed: [], fault: listed.fault }
    const chosen = wanted && (await chosenIn(query, wanted))
    const shown = { submittedField, configured, isInSitesFile, ...list, ...chosen }
    return { template: 'admin-databases', shown }
  })
}

/** Returns the form's choices or, before it is sent, the configured settings or a suggestion. */
function databaseFromForm(
  query: URLSearchParams,
  sample: DatabaseSample,
  configured: readonly DatabaseSettings[],
): DatabaseSettings {
  const others = configured.filter(({ databaseId }) => databaseId !== sample.id)
  const taken = [...reservedNames, ...others.map(({ id }) => id)]
  const known = configured.find(({ databaseId }) => databaseId === sample.id)
  const initial = known ?? suggestedDatabase(sample, taken) ?? emptyDatabase(sample.id)
  if (!query.has(submittedField)) return initial
  const text = (name: string) => (query.get(name) ?? '').trim()
  const names = sample.fields.map(({ name }) => name)
  const shownTo = (choice: string) =>
    names.filter((name) => text(`${shownPrefix}${name}`) === choice)
  const [id, title, name] = [text('id'), text('title'), text('name')]
  const shown = { fields: shownTo('all'), fullFields: shownTo('full') }
  const date = text('date') || undefined
  return { id, databaseId: sample.id, title, date, ...shown, name: name || feedName(id) }
}

function emptyDatabase(databaseId: number): DatabaseSettings {
  const id = `database${databaseId}`
  const shown = { title: '', date: undefined, fields: [], fullFields: [] }
  return { id, databaseId, name: feedName(id), ...shown }
}

function fieldChoices({ fields, fullFields }: DatabaseSettings, sample: DatabaseSample) {
  return sample.fields.map(({ name, title }) => {
    const choice = fields.includes(name) ? 'all' : fullFields.includes(name) ? 'full' : ''
    return { input: `${shownPrefix}${name}`, name, title, choice }
  })
}

function composedSetting(
  database: DatabaseSettings,
  sample: DatabaseSample,
  configured: readonly DatabaseSettings[],
  isInSitesFile: boolean,
): DatabaseReading<string> {
  const others = configured.filter(({ databaseId }) => databaseId !== database.databaseId)
  const value = [...others, database].map(settingFrom).join('; ')
  const { data, error } = databaseFeedsSchema(reservedNames).safeParse(value)
  const [issue] = error?.issues ?? []
  if (issue) return { ok: false, fault: `The setting ${issue.message}.` }
  const isSame = isDeepStrictEqual(data?.at(-1), database)
  if (!isSame || /["'`\\#$]/.test(value)) return { ok: false, fault: notWritable }
  const names = sample.fields.map(({ name }) => name)
  const [fault] = [...unknownFieldSentences(database, names), ...dateSentences(database, sample)]
  if (fault !== undefined) return { ok: false, fault }
  const text = isInSitesFile ? `"DATABASE_FEEDS": "${value}"` : `DATABASE_FEEDS=${value}`
  return { ok: true, value: text }
}

const notWritable =
  'Titles and names cannot contain quotes, #, $, backslashes, semicolons, or a word that is directly followed by a colon and text.'

/** Returns a few records as the feed shows them with the profile `full`, as plain text. */
function databasePreview(database: DatabaseSettings, { records }: DatabaseSample, siteUrl: string) {
  return records
    .filter(({ archived }) => !archived)
    .slice(0, maxPreviewed)
    .map((record) => {
      const time = databaseTime(record, database)
      return {
        title: databaseTitle(record, database) || 'Untitled',
        when: time === undefined ? '' : longDayInWords(time.slice(0, 10), undefined),
        lines: shownFields(record, database, { profile: 'full', siteUrl }),
      }
    })
}
