import { isDeepStrictEqual } from 'node:util'
import { reservedNames } from '../../config/settings.ts'
import { invisibleFault } from '../../config/invisible-characters.ts'
import { databaseFeedsText } from '../../config/stored-settings.ts'
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
import type { Site } from '../../feeds/site.ts'
import { longDayInWords } from '../../records/date-words.ts'
import type { RecordOf } from '../../records/read-records.ts'
import type { DatabaseReading } from '../../site/admin-actions.ts'
import type { AdminContext, AdminPages } from './admin-context.ts'
import { fieldsFrom } from '../../web/forms.ts'
import { changedMeanwhile } from './settings-page.ts'

const maxPreviewed = 5

const damaged =
  'The settings of this page cannot be read, so no feed is public. Save them under Settings first.'

const submittedField = 'chosen'

/** Prefix of the names of form fields that represent the database's fields. */
const shownPrefix = 'show.'

async function chosenIn(
  { site, actions }: AdminContext,
  query: URLSearchParams,
  database: RecordOf['databases'],
) {
  const { databases: configured = [] } = site
  const reading = await actions.databases.sample(database)
  if (!reading.ok) return { fault: reading.fault }
  const sample = reading.value
  const known = configured.find(({ databaseId }) => databaseId === database.id)
  const others = configured.filter((each) => each !== known)
  const taken = [...reservedNames, ...others.map(({ id }) => id)]
  const initial = known ?? suggestedDatabase(sample, taken) ?? emptyDatabase(sample.id)
  const chosen = query.has(submittedField) ? databaseFromForm(query, sample) : initial
  const setting = composedSetting(chosen, sample, others)
  const withoutIt = known && settingOf(others)
  const preview = databasePreview(chosen, sample, site)
  const choices = fieldChoices(chosen, sample)
  return { chosen: { sample, database: chosen, choices, setting, withoutIt, preview } }
}

async function databasesShown(admin: AdminContext, query: URLSearchParams, fault?: string) {
  const { databases: configured = [] } = admin.site
  const { isInSitesFile, read } = admin.actions.settings
  const { revision } = await read()
  const listed = await admin.actions.databases.list()
  const wanted = listed.ok && listed.value.find(({ id }) => String(id) === query.get('database'))
  const list = listed.ok ? { listed: listed.value } : { listed: [], fault: listed.fault }
  const chosen = wanted && (await chosenIn(admin, query, wanted))
  const isSaved = query.get('done') === 'saved'
  const form = { submittedField, configured, isInSitesFile, revision, isSaved }
  const shown = { ...form, ...list, ...chosen, ...(fault === undefined ? {} : { fault }) }
  return { template: 'admin/databases', shown }
}

export function databasesPage({ page, form }: AdminPages): void {
  page('/databases', (admin, query) => databasesShown(admin, query))

  form('/databases', async (admin, sent) => {
    const { read, save } = admin.actions.settings
    const { database, feeds, revision } = fieldsFrom(sent, 'database', 'feeds', 'revision')
    const { error } = databaseFeedsText.safeParse(feeds)
    const { settings } = await read()
    if (settings.isDamaged) {
      const page = await databasesShown(admin, new URLSearchParams({ database }), damaged)
      return { ...page, status: 409 }
    }
    if (!error && (await save({ ...settings, databaseFeeds: feeds }, Number(revision)))) {
      const redirect = `/databases?database=${Number(database)}&done=saved`
      return { done: 'settings saved', redirect }
    }
    const fault = error ? `The setting ${error.issues[0]?.message}.` : changedMeanwhile
    const shown = await databasesShown(admin, new URLSearchParams({ database }), fault)
    return { ...shown, status: error ? 400 : 409 }
  })
}

function databaseFromForm(query: URLSearchParams, sample: DatabaseSample): DatabaseSettings {
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
  others: readonly DatabaseSettings[],
): DatabaseReading<string> {
  const value = settingOf([...others, database])
  const { data, error } = databaseFeedsSchema(reservedNames).safeParse(value)
  const wrong = invisibleFault(value) ?? error?.issues[0]?.message
  if (wrong !== undefined) return { ok: false, fault: `The setting ${wrong}.` }
  const isSame = isDeepStrictEqual(data?.at(-1), database)
  if (!isSame || /["'`\\#$]/.test(value)) return { ok: false, fault: notWritable }
  const names = sample.fields.map(({ name }) => name)
  const [fault] = [...unknownFieldSentences(database, names), ...dateSentences(database, sample)]
  return fault === undefined ? { ok: true, value } : { ok: false, fault }
}

const settingOf = (databases: readonly DatabaseSettings[]) => databases.map(settingFrom).join('; ')

const notWritable =
  'Titles and names cannot contain quotes, #, $, backslashes, semicolons, or a word that is directly followed by a colon and text.'

/** Returns a few records as the feed shows them with the profile `full`, as plain text. */
function databasePreview(
  database: DatabaseSettings,
  { records }: DatabaseSample,
  { url: siteUrl, language }: Site,
) {
  return records
    .filter(({ archived }) => !archived)
    .slice(0, maxPreviewed)
    .map((record) => {
      const time = databaseTime(record, database)
      return {
        title: databaseTitle(record, database) || 'Untitled',
        when: time === undefined ? '' : longDayInWords(time.slice(0, 10), undefined, language),
        lines: shownFields(record, database, { profile: 'full', siteUrl }),
      }
    })
}
