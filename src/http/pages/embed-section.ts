import { noneChosen, readOptions, type OptionSet } from '../../options/option.ts'
import { oneOf } from '../../options/value-types.ts'
import type { SiteContext } from '../context.ts'
import type { Viewer } from '../feeds/viewer.ts'
import { elementScript } from './embed-element.ts'
import { embedsOf, themes, type Embed, type EmbedOptions } from './embed-options.ts'
import type { Select } from './feed-options-form.ts'

/** Section with code for the organization's own website. */
export type EmbedSection = {
  readonly title: string
  /** URL of the embed. */
  readonly url: string
  readonly script: { readonly url: string; readonly integrity: string }
  /** Fields to choose an embed; empty on a static host, which has no options. */
  readonly selects: readonly Select[]
}

type SectionOptions = {
  readonly embed: string
  readonly layout: EmbedOptions['layout']
  readonly theme: EmbedOptions['theme']
}

const layoutLabels = { list: 'List', cards: 'Cards', month: 'Month (calendars only)' } as const
const themeLabels = { auto: 'Like the visitor’s device', light: 'Light', dark: 'Dark' } as const

/**
 * Creates a function that returns the section with code for the organization's own website. It returns
 * undefined under feed links, because visitors could read the link in the page's source.
 */
export function createEmbedSection({
  site,
  asset,
  isOffered,
}: SiteContext): (viewer: Viewer, query: URLSearchParams) => EmbedSection | undefined {
  return ({ feeds, link, base }, query) => {
    const embeds = embedsOf(feeds.filter(isOffered))
    // Public events rather than a members' calendar that has them as well.
    const usual = embeds.find(({ feed }) => feed && !feed.repeats) ?? embeds[0]
    if (link || !usual) return undefined
    const options = optionsFor(embeds, usual)
    const reading = readOptions(options, query)
    const { values } = reading.ok ? reading.chosen : noneChosen(options)
    const embed = embeds.find(({ id }) => id === values.embed) ?? usual
    const titles = Object.fromEntries(embeds.map((each) => [each.id, titleOf(each)]))
    return {
      title: titleOf(embed),
      url: `${base}/embed/${embed.id}${queryFor(embed, values)}`,
      script: {
        url: new URL(asset(elementScript.name) ?? '', site.publicUrl).href,
        integrity: elementScript.integrity,
      },
      selects: site.isStatic
        ? []
        : [
            selectOf('embed', 'Show', titles, values.embed),
            selectOf('layout', 'Layout', layoutLabels, values.layout),
            selectOf('theme', 'Colors', themeLabels, values.theme),
          ],
    }
  }
}

function optionsFor(embeds: readonly Embed[], usual: Embed): OptionSet<SectionOptions> {
  const ids = embeds.map(({ id }) => id)
  return {
    embed: { name: 'embed', type: oneOf(ids), defaultValue: usual.id },
    layout: { name: 'layout', type: oneOf(['list', 'cards', 'month']), defaultValue: 'list' },
    theme: { name: 'theme', type: oneOf(themes), defaultValue: 'auto' },
  }
}

function titleOf({ id, feed }: Embed): string {
  return feed?.title ?? (id === 'month' ? 'All calendars: month' : 'All calendars: next entry')
}

/** Returns the options that are not the embed's defaults. */
function queryFor({ layouts }: Embed, { layout, theme }: SectionOptions): string {
  const isOther = layouts.includes(layout) && layout !== layouts[0]
  const parameters = [
    ...(isOther ? [`layout=${layout}`] : []),
    ...(theme === 'auto' ? [] : [`theme=${theme}`]),
  ]
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`
}

function selectOf(
  name: string,
  label: string,
  labels: Readonly<Record<string, string>>,
  chosen: string,
): Select {
  const choices = Object.entries(labels).map(([value, choice]) => ({
    name,
    value,
    label: choice,
    isChosen: value === chosen,
  }))
  return { name, label, choices }
}
