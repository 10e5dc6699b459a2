import { createHash } from 'node:crypto'
import { linesOfPlaces, maxPlacesLength, type PlaceFault } from '../../config/places.ts'
import {
  readSettings,
  textFields,
  uploadedLogo,
  type SettingsForm,
  type SettingFault,
  type StoredSettings,
} from '../../config/stored-settings.ts'
import { eachText, textSettings, variableOf } from '../../config/text-settings.ts'
import { publishableFeeds } from '../../feeds/catalog.ts'
import { withText } from '../../feeds/feed.ts'
import { contrastBetween, identityFrom } from '../../feeds/identity.ts'
import { spokenTag } from '../../records/messages.ts'
import { resizedLogo } from '../../pictures/icon-drawing.ts'
import { acceptedLoss } from '../../store/losses.ts'
import { isUploaded, logoDocument } from '../../site/settings-store.ts'
import type { AdminContext, AdminPages } from './admin-context.ts'
import type { SettingsMessages } from './messages/settings/en.ts'
import { fieldsFrom } from '../../web/forms.ts'

/** Page backgrounds, as in lists.css. */
const pageColors = { light: '#ffffff', dark: '#191c1f' }

/** Languages of Feedhouse's text, with the regions in which it is probably used. */
const languageTags =
  'en-US en-CA en-GB es-US es-PR es-MX es-ES fr-CA fr-FR de-DE de-AT de-CH'.split(' ')

type PageState = {
  readonly isSaved?: boolean
  readonly faults?: readonly string[]
  /** Data URL of an uploaded logo that has not been saved yet. */
  readonly picture?: string | undefined
}

const fieldsOfTexts = eachText((name) => ({ ...textSettings[name], setting: variableOf(name) }))

async function pageWith(
  { actions, site }: AdminContext,
  fields: SettingsForm,
  revision: number,
  { isSaved, faults = [], picture }: PageState,
) {
  const { defaults, isInSitesFile, read } = actions.settings
  const hasUpload = isUploaded((await read()).settings.logo)
  const colors = colorPreview(fields.color, defaults)
  const feeds = publishableFeeds.map((feed) => withText(feed, site.language))
  const always = { defaults, isInSitesFile, feeds, settings: fieldsOfTexts, maxPlacesLength }
  const languageNames = new Intl.DisplayNames(spokenTag(site.language), { type: 'language' })
  const tags = [...new Set([...languageTags, fields.language])].filter((tag) => tag !== '')
  const languages = tags.map((value) => ({
    value,
    label: languageTags.includes(value) ? (languageNames.of(value) ?? value) : value,
    isChosen: value === fields.language,
  }))
  const state = { hasUpload, colors, isSaved, faults, picture }
  const shown = { ...always, languages, form: { ...fields, revision }, ...state }
  return { template: 'admin/settings', shown }
}

/** Serves the form for settings that take effect without a restart. */
export function settingsPage({ page, form }: AdminPages): void {
  page('/settings', async (admin, query) => {
    const { settings, revision } = await admin.actions.settings.read()
    const form = formFrom(settings)
    // The page's script requests a preview of a color that has not been saved yet.
    const fields = { ...form, color: query.get('color') ?? form.color }
    return pageWith(admin, fields, revision, { isSaved: query.get('done') === 'saved' })
  })

  form('/settings', async (admin, sent) => {
    const { read, save } = admin.actions.settings
    const texts = admin.texts.settings
    const show = pageWith.bind(undefined, admin)
    const fields = readFields(sent)
    const revision = Number(sent.get('revision'))
    const reading = readSettings(fields)
    const picture = sent.get('picture') ?? ''
    const upload = picture === '' ? undefined : await logoFromUpload(picture)
    const isUnusable = picture !== '' && !upload
    if (!reading.ok || isUnusable) {
      const faults = [
        ...(reading.ok ? [] : faultsInWords(reading, texts)),
        ...(isUnusable ? [texts.faults.picture] : []),
      ]
      const state = { faults, picture: upload?.picture }
      return { ...(await show(fields, revision, state)), status: 400 }
    }
    const { settings: kept } = await read()
    const keepsUpload = isUploaded(kept.logo) && !sent.has('removeLogo')
    const logo = upload?.logo ?? reading.settings.logo ?? (keepsUpload ? kept.logo : undefined)
    const changed = { ...reading.settings, logo, databaseFeeds: kept.databaseFeeds }
    if (await save(changed, revision, [acceptedLoss, ...(upload ? [upload.write] : [])])) {
      return { done: 'settings saved', redirect: '/settings?done=saved' }
    }
    const current = await read()
    const conflict = { faults: [texts.faults.changed], picture: upload?.picture }
    return { ...(await show(fields, current.revision, conflict)), status: 409 }
  })
}

function faultsInWords(
  invalid: {
    readonly faults: readonly SettingFault[]
    readonly placeFaults: readonly PlaceFault[]
  },
  { fields, faults, places, placeFaults, publicFeeds }: SettingsMessages,
): readonly string[] {
  const labels = { ...fields, places, publicFeeds }
  return [
    ...invalid.faults.map(({ field, fault, isInvisible }) => {
      const sentence = faults[field](fault)
      return isInvisible ? faults.invisible(labels[field], sentence) : sentence
    }),
    ...invalid.placeFaults.map(({ line, name, part, fault }) =>
      placeFaults.line(line, name, placeFaults[part](fault)),
    ),
  ]
}

/** Returns a color's variants for pages. If the color is invalid, uses the default color. */
function colorPreview(
  color: string,
  defaults: { readonly name: string; readonly color?: string | undefined },
) {
  const chosen = textSettings.color.schema.safeParse(color).data ?? defaults.color
  const identity = identityFrom({ color: chosen }, defaults.name)
  const { light, dark } = identity.colors
  return {
    color: identity.color,
    variants: [
      { name: 'light', page: pageColors.light, ...light },
      { name: 'dark', page: pageColors.dark, ...dark },
    ].map((variant) => ({
      ...variant,
      contrast: contrastBetween(variant.accent, variant.onAccent).toFixed(1),
    })),
  }
}

function formFrom(settings: StoredSettings): SettingsForm {
  const { publicFeeds, freshSeconds = '' } = settings
  const texts = eachText((name) => settings[name] ?? '')
  const logo = isUploaded(texts.logo) ? '' : texts.logo
  const places = linesOfPlaces(settings.places ?? [])
  return { ...texts, logo, publicFeeds, places, fresh: `${freshSeconds}` }
}

function readFields(sent: URLSearchParams): SettingsForm {
  const fields = fieldsFrom(sent, ...textFields, 'feeds')
  const publicFeeds = fields.feeds === 'some' ? [...new Set(sent.getAll('feed'))] : undefined
  // Browsers send line breaks as CRLF.
  return { ...fields, publicFeeds, places: fields.places.replaceAll('\r', '') }
}

/** Returns the setting, document and data URL for a picture, or undefined if it cannot be used. */
async function logoFromUpload(dataUrl: string) {
  const picture = Buffer.from(dataUrl.replace(/^data:[^,]*,/, ''), 'base64')
  const value = (await resizedLogo(picture))?.toString('base64')
  if (value === undefined) return undefined
  const hash = createHash('sha256').update(value).digest('base64url').slice(0, 12)
  const resized = `data:image/png;base64,${value}`
  return { logo: `${uploadedLogo}${hash}`, write: { ...logoDocument, value }, picture: resized }
}
