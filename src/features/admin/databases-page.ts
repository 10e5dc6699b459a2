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
import type { AdminContext, AdminPages, Fault } from './admin-context.ts'
import type { AdminMessages } from './messages.ts'
import { fieldsFrom } from '../../web/forms.ts'

const maxPreviewed = 5

const submittedField = 'chosen'

/** Prefix of the names of form fields that represent the database's fields. */
const shownPrefix = 'show.'

async function chosenIn(
  { site, actions, texts }: AdminContext,
  query: URLSearchParams,
  database: RecordOf['databases'],
) {
  const { databases: configured = [] } = site
  const reading = await actions.databases.sample(database)
  if (!reading.ok) return { fault: { english: reading.fault } }
  const sample = reading.value
  const known = configured.find(({ databaseId }) => databaseId === database.id)
  const others = configured.filter((each) => each !== known)
  const taken = [...reservedNames, ...others.map(({ id }) => id)]
  const initial = known ?? suggestedDatabase(sample, taken) ?? emptyDatabase(sample.id)
  const chosen = query.has(submittedField) ? databaseFromForm(query, sample) : initial
  const setting = composedSetting(chosen, sample, { others, texts: texts.databases })
  const withoutIt = known && settingOf(others)
  const preview = databasePreview(chosen, sample, {
    ...site,
    untitled: texts.databases.untitledRecord,
  })
  const choices = fieldChoices(chosen, sample)
  return { chosen: { sample, database: chosen, choices, setting, withoutIt, preview } }
}

async function databasesShown(admin: AdminContext, query: URLSearchParams, fault?: Fault) {
  const { databases: configured = [] } = admin.site
  const { isInSitesFile, read } = admin.actions.settings
  const { revision } = await read()
  const listed = await admin.actions.databases.list()
  const wanted = listed.ok && listed.value.find(({ id }) => String(id) === query.get('database'))
  const list = listed.ok
    ? { listed: listed.value }
    : { listed: [], fault: { english: listed.fault } }
  const chosen = wanted && (await chosenIn(admin, query, wanted))
  const isSaved = query.get('done') === 'saved'
  const form = { submittedField, configured, isInSitesFile, revision, isSaved }
  const shown = { ...form, ...list, ...chosen, ...(fault === undefined ? {} : { fault }) }
  return { template: 'admin/databases', shown }
}

export function databasesPage({ page, form }: AdminPages): void {
  page('/databases', (admin, query) => databasesShown(admin, query))

  form('/databases', async (admin, sent) => {
    const { actions, texts } = admin
    const { read, save } = actions.settings
    const { database, feeds, revision } = fieldsFrom(sent, 'database', 'feeds', 'revision')
    const { error } = databaseFeedsText.safeParse(feeds)
    const { settings } = await read()
    if (settings.isDamaged) {
      const page = await databasesShown(
        admin,
        new URLSearchParams({ database }),
        texts.databases.faults.damaged,
      )
      return { ...page, status: 409 }
    }
    if (!error && (await save({ ...settings, databaseFeeds: feeds }, Number(revision)))) {
      const redirect = `/databases?database=${Number(database)}&done=saved`
      return { done: 'settings saved', redirect }
    }
    const fault = error
      ? { english: `The setting ${error.issues[0]?.message}.` }
      : texts.settings.faults.changed
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

type Texts = AdminMessages['databases']

function composedSetting(
  database: DatabaseSettings,
  sample: DatabaseSample,
  { others, texts }: { readonly others: readonly DatabaseSettings[]; readonly texts: Texts },
): { readonly ok: true; readonly value: string } | { readonly ok: false; readonly fault: Fault } {
  const value = settingOf([...others, database])
  const { data, error } = databaseFeedsSchema(reservedNames).safeParse(value)
  const wrong = invisibleFault(value) ?? error?.issues[0]?.message
  if (wrong !== undefined) return { ok: false, fault: { english: `The setting ${wrong}.` } }
  const isSame = isDeepStrictEqual(data?.at(-1), database)
  if (!isSame || /["'`\\#$]/.test(value)) return { ok: false, fault: texts.faults.notWritable }
  const names = sample.fields.map(({ name }) => name)
  const [english] = [...unknownFieldSentences(database, names), ...dateSentences(database, sample)]
  return english === undefined ? { ok: true, value } : { ok: false, fault: { english } }
}

const settingOf = (databases: readonly DatabaseSettings[]) => databases.map(settingFrom).join('; ')

/** Returns a few records as the feed shows them with the profile `full`, as plain text. */
function databasePreview(
  database: DatabaseSettings,
  { records }: DatabaseSample,
  { url: siteUrl, language, untitled }: Site & { readonly untitled: string },
) {
  return records
    .filter(({ archived }) => !archived)
    .slice(0, maxPreviewed)
    .map((record) => {
      const time = databaseTime(record, database)
      return {
        title: databaseTitle(record, database) || untitled,
        when: time === undefined ? '' : longDayInWords(time.slice(0, 10), undefined, language),
        lines: shownFields(record, database, { profile: 'full', siteUrl }),
      }
    })
}
