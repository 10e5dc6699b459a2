import { isCalendar } from '../../feeds/feed.ts'
import { chosenFrom, noneChosen, readOptions } from '../../options/option.ts'
import { oneOf } from '../../options/value-types.ts'
import { filterOptions, searchOptions } from '../../search/search-options.ts'
import { faultIn, fieldsFor, selectFrom } from '../../web/feed-options-form.ts'
import { pageMessages } from '../../web/messages.ts'
import type { PageRequest } from '../../web/page-handler.ts'
import { countMatches } from '../../web/search-matches.ts'
import { elementScript } from '../../web/embed-element.ts'
import { allLayouts, embedOptionsFor, embedsOf, type Embed } from '../../web/embed-options.ts'

/**
 * Returns the form for code that shows a feed on another website. Returns undefined for feed links,
 * because visitors could read the link in the page's source.
 */
export function embedSection(page: PageRequest) {
  const { context, viewer, offered, query } = page
  const { site, asset } = context
  const { link, base } = viewer
  const embeds = embedsOf(offered)
  // Prefers public events over a members' calendar that includes them.
  const usual = embeds.find(({ feed }) => feed && !feed.repeats) ?? embeds[0]
  if (link || !usual) return undefined
  const { layout, theme } = embedOptionsFor({ ...usual, layouts: allLayouts })
  const ids = embeds.map(({ id }) => id)
  const options = {
    embed: { name: 'embed', type: oneOf(ids), defaultValue: usual.id },
    layout,
    theme,
  }
  const reading = readOptions(options, query)
  const { values } = reading.ok ? reading.chosen : noneChosen(options)
  const embed = embeds.find(({ id }) => id === values.embed) ?? usual
  const own = chosenFrom(embedOptionsFor(embed), {
    theme: values.theme,
    ...(embed.layouts.includes(values.layout) && { layout: values.layout }),
  })
  // Other forms on the page have the same options.
  const sent = query.get('feed') === 'website' ? query : new URLSearchParams()
  const searches = Object.values(filterOptions)
  const filterReading = readOptions(filterOptions, sent)
  const filter = chosenFrom(
    embed.feed && !isCalendar(embed.feed) ? searchOptions : filterOptions,
    filterReading.ok ? filterReading.chosen.values : {},
  )
  const searched = (embed.feed ? [embed.feed] : offered.filter(isCalendar)).map((feed) => {
    return { feed, query: new URLSearchParams(filter.query) }
  })
  const parameters = [own.query, filter.query].filter((text) => text !== '').join('&')
  const t = pageMessages(site.language).follow.website
  const { nextOfAll, monthOfAll } = pageMessages(site.language).embed
  const titleOf = ({ id, feed }: Embed) =>
    feed?.textIn(site.language).title ?? (id === 'month' ? monthOfAll : nextOfAll)
  const titles = Object.fromEntries(embeds.map((each) => [each.id, titleOf(each)]))
  const selectOf = (name: string, label: string, labels: Readonly<Record<string, string>>) =>
    selectFrom({ name, label, choices: Object.entries(labels) }, new URLSearchParams(values))
  return {
    title: titleOf(embed),
    url: `${base}/embed/${embed.id}${parameters === '' ? '' : `?${parameters}`}`,
    fault: filterReading.ok
      ? undefined
      : faultIn(sent, filterReading.reason, searches, site.language),
    matches: countMatches(page, searched),
    script: {
      url: new URL(asset(elementScript.name) ?? '', site.publicUrl).href,
      integrity: elementScript.integrity,
    },
    textFields: site.isStatic ? [] : fieldsFor(searches, sent, site.language).textFields,
    // A static host has no options.
    selects: site.isStatic
      ? []
      : [
          selectOf('embed', t.show, titles),
          selectOf('layout', t.layout, t.layouts),
          selectOf('theme', t.colors, t.themes),
        ],
  }
}
