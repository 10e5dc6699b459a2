import { createHash } from 'node:crypto'
import { linesOfPlaces, maxPlacesLength } from '../../config/places.ts'
import {
  readSettings,
  textFields,
  uploadedLogo,
  type SettingsForm,
  type StoredSettings,
} from '../../config/stored-settings.ts'
import { eachText, textSettings } from '../../config/text-settings.ts'
import { publishableFeeds } from '../../feeds/catalog.ts'
import { withText } from '../../feeds/feed.ts'
import { contrastBetween, identityFrom } from '../../feeds/identity.ts'
import { resizedLogo } from '../../pictures/icon-drawing.ts'
import { acceptedLoss } from '../../store/losses.ts'
import { isUploaded, logoDocument, type SettingsStore } from '../../site/settings-store.ts'
import type { AdminPages } from './admin-context.ts'
import { fieldsFrom } from '../../web/forms.ts'

/** Page backgrounds, as in lists.css. */
const pageColors = { light: '#ffffff', dark: '#191c1f' }

const notAPicture =
  'The logo is not a picture that can be used. Choose a PNG, JPEG, WebP or GIF file.'

export const changedMeanwhile =
  'Somebody else has changed the settings since you opened this page, so nothing was saved. Check your values, then save again to replace the other changes.'

/** Languages of Feedhouse's text, with the regions in which it is probably used. */
const languageTags =
  'en-US en-CA en-GB es-US es-PR es-MX es-ES fr-CA fr-FR de-DE de-AT de-CH'.split(' ')

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

type PageState = {
  readonly isSaved?: boolean
  readonly faults?: readonly string[]
  /** Data URL of an uploaded logo that has not been saved yet. */
  readonly picture?: string | undefined
}

/** Serves the form for settings that take effect without a restart. */
export function settingsPage({ page, form }: AdminPages): void {
  const feeds = publishableFeeds.map((feed) => withText(feed, 'en'))

  async function pageWith(
    { defaults, isInSitesFile, read }: SettingsStore,
    fields: SettingsForm,
    revision: number,
    { isSaved, faults = [], picture }: PageState,
  ) {
    const hasUpload = isUploaded((await read()).settings.logo)
    const colors = colorPreview(fields.color, defaults)
    const always = { defaults, isInSitesFile, feeds, texts: textSettings, maxPlacesLength }
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

  page('/settings', async ({ actions }, query) => {
    const { settings, revision } = await actions.settings.read()
    const form = formFrom(settings)
    // The page's script requests a preview of a color that has not been saved yet.
    const fields = { ...form, color: query.get('color') ?? form.color }
    return pageWith(actions.settings, fields, revision, { isSaved: query.get('done') === 'saved' })
  })

  form('/settings', async ({ actions }, sent) => {
    const { read, save } = actions.settings
    const show = pageWith.bind(undefined, actions.settings)
    const fields = readFields(sent)
    const revision = Number(sent.get('revision'))
    const reading = readSettings(fields)
    const picture = sent.get('picture') ?? ''
    const upload = picture === '' ? undefined : await logoFromUpload(picture)
    const isUnusable = picture !== '' && !upload
    if (!reading.ok || isUnusable) {
      const faults = [...(reading.ok ? [] : reading.faults), ...(isUnusable ? [notAPicture] : [])]
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
    const conflict = { faults: [changedMeanwhile], picture: upload?.picture }
    return { ...(await show(fields, current.revision, conflict)), status: 409 }
  })
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
      { title: 'Light', page: pageColors.light, ...light },
      { title: 'Dark', page: pageColors.dark, ...dark },
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
