import { DateTime } from 'luxon'
import { CollectionUnavailable } from '../../collections/collection.ts'
import type { CollectionStatus } from '../../collections/status/status.ts'
import { maxSettingLengths } from '../../config/stored-settings.ts'
import { publishableFeeds } from '../../feeds/catalog.ts'
import type { Feed } from '../../feeds/feed.ts'
import { withFallback } from '../../store/store-error.ts'
import { addressWarning } from '../../links/address-warning.ts'
import type { Profile } from '../../records/profile.ts'
import type { FeedResource } from '../../records/resources.ts'
import {
  maxEmergencyLengths,
  type EmergencyForm,
  type EmergencyText,
} from '../board/emergency-text.ts'
import { submittedField, type DatabasePage } from './database-form.ts'
import { linkSorts, plainView } from './link-list.ts'
import { lowerProfile, previewEntries } from './preview-differences.ts'
import type { SettingsEditor, SettingsForm } from './settings-form.ts'
import type { MessageState } from './messages.ts'
import { profileTexts, type LinkPages, type ShownForm } from './link-pages.ts'
import type { AdminSite } from './sign-in.ts'

export type AdminPages = ReturnType<typeof createAdminPages>

/** Creates the admin pages. `token` is the CSRF token for the session's forms. */
export function createAdminPages(context: AdminSite, linkPages: LinkPages) {
  const { site, catalog, publicFeeds, overviews, doctor, render, actions } = context
  const { feeds } = catalog

  /** Returns a feed's overview; undefined if its records are unavailable. */
  async function overviewIfAny(feed: Feed, profile: Profile) {
    try {
      return await overviews.read(feed, profile)
    } catch (error) {
      if (!(error instanceof CollectionUnavailable)) throw error
      return undefined
    }
  }

  const formatted = (instant: string | number, format: string) =>
    DateTime.fromJSDate(new Date(instant), { zone: site.timeZone }).setLocale('en').toFormat(format)
  const time = (instant: string | number | null | undefined) =>
    instant === null || instant === undefined ? undefined : formatted(instant, 'LLL d, h:mm a')
  const dayOf = (instant: number) => formatted(instant, 'LLL d, yyyy')

  return {
    signIn: (fault = '') => render('admin-sign-in', { fault }),

    async overview(
      token: string,
      shown: ShownForm & {
        /** Confirms the change to a link that led to this page. */
        readonly change?: string | undefined
      } = {},
    ): Promise<string> {
      const [status, links] = await Promise.all([
        context.status(),
        withFallback(actions.listLinks, () => undefined),
      ])
      const { view = plainView, change } = shown
      return render('admin', {
        token,
        status,
        change,
        view,
        sorts: Object.entries(linkSorts),
        linkCount: links?.length,
        list: links && linkPages.listPage(links, view),
        ...linkPages.formParts(shown),
      })
    },

    /** Shows the state of all records, the API calls, the tokens and the receivers of messages. */
    async statusPage(
      token: string,
      {
        messages,
        notice,
        done,
      }: {
        readonly messages: MessageState
        readonly notice?: string | undefined
        /** What a form has done, if the page confirms it. */
        readonly done: string | null
      },
    ): Promise<string> {
      const status = await context.status()
      const collections = status.collections.map((collection) => ({
        collection,
        title: collectionTitle(feeds, collection.name),
        ...collectionState(collection),
      }))
      const shown = { status, collections, time, dayOf, messages, notice, done }
      return render('admin-status', { token, ...shown })
    },

    /** Shows the form for settings that take effect without a restart. */
    settings: (
      token: string,
      shown: {
        readonly form: SettingsForm
        readonly defaults: SettingsEditor['defaults']
        readonly isInSitesFile: boolean
        readonly faults?: readonly string[]
        readonly isSaved?: boolean
      },
    ): string =>
      render('admin-settings', {
        token,
        feeds: publishableFeeds,
        maxLengths: maxSettingLengths,
        faults: [],
        ...shown,
      }),

    /** Shows the form that composes the setting for custom databases. */
    databases: (token: string, page: DatabasePage): string =>
      render('admin-databases', { token, submittedField, ...page }),

    /** Shows the emergency text for screens, and how to set up a screen. */
    screens: (
      token: string,
      shown: {
        readonly form: EmergencyForm
        readonly current: EmergencyText | undefined
        readonly faults?: readonly string[]
        readonly done?: string | null
      },
    ): string =>
      render('admin-screens', {
        token,
        publicUrl: site.publicUrl,
        maxLengths: maxEmergencyLengths,
        endInWords: (until: number) => time(new Date(until).toISOString()),
        faults: [],
        ...shown,
      }),

    /** Shows whether apps can reach the public feeds. */
    address: async (token: string): Promise<string> =>
      render('admin-address', {
        token,
        publicUrl: site.publicUrl,
        warning: addressWarning(site.publicUrl),
        address: await doctor.checkPublic(publicFeeds),
      }),

    async preview(token: string, profile: Profile): Promise<string> {
      const lower = lowerProfile[profile]
      const { collections } = await context.status()
      const isRead = (resource: FeedResource) => collections.some(({ name }) => name === resource)
      // The preview does not cause reads of unused feeds.
      const used = feeds.filter(({ isNamedOnly, resource }) => !isNamedOnly || isRead(resource))
      const feedsOf = (each: Profile) => (each === 'public' ? publicFeeds : used)
      const previews = await Promise.all(
        feedsOf(profile).map(async (feed) => {
          const shown = await overviewIfAny(feed, profile)
          const isInLower = lower !== undefined && feedsOf(lower).includes(feed)
          const other = isInLower ? await overviewIfAny(feed, lower) : undefined
          const entries = shown && previewEntries(shown, lower === undefined ? shown : other)
          return { title: feed.title, entries, isExtra: lower !== undefined && !isInLower }
        }),
      )
      const text = profileTexts[profile]
      return render('admin-preview', { token, profile, lower, text, previews })
    },
  }
}

/** Titles of records that have no feed of their own. */
const otherTitles: Readonly<Partial<Record<FeedResource, string>>> = {
  members: 'Members',
  training: 'Certifications',
}

/** Returns the name of a collection's feed. */
function collectionTitle(feeds: readonly Feed[], name: FeedResource): string {
  const titles = feeds.filter(({ resource }) => resource === name).map(({ title }) => title)
  return titles.length > 0 ? titles.join(', ') : (otherTitles[name] ?? name)
}

/** Describes the state of a collection in a few words. */
function collectionState(collection: CollectionStatus) {
  const { held, refusedSince, isSwitchedOff, failure, records } = collection
  if (held) return { state: held.isHeldByRequest ? 'Held on request' : 'Held', isBad: true }
  if (refusedSince !== null) {
    const state = `Not allowed by the API Project${isSwitchedOff ? ': switched off' : ''}`
    return { state, isBad: !isSwitchedOff }
  }
  if (failure) return { state: 'Cannot be read', isBad: true }
  return { state: records === null ? 'Waiting' : 'Up to date', isBad: false }
}
