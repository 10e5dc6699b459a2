import type { Feed } from '../../src/feeds/feed.ts'
import type { FeedFormat } from '../../src/feeds/formats.ts'
import { readOptions, type Option } from '../../src/options/option.ts'
import { documentOf, tableAfter } from './documentation.ts'
import { namesIn } from './documented-fields.ts'

const text = documentOf('docs/feeds.md')

/** Returns the options in a table in docs/feeds.md. */
export function documentedOptions(heading: string) {
  return tableAfter(heading, text).map((row) => {
    const [example = ''] = namesIn(row['option'])
    const name = example.split('=')[0] ?? ''
    return { example, name, on: namesIn(row['on']), values: row['values'] ?? '' }
  })
}

type DocumentedOption = ReturnType<typeof documentedOptions>[number]

/** Returns true if the docs say that a feed has the option in a format. */
export function isOn({ on }: DocumentedOption, { id }: Pick<Feed, 'id'>, format: FeedFormat) {
  return on.includes(`.${format}`) || on.includes(id)
}

/**
 * Returns the words and limits in the description of an option's values that its messages about
 * invalid values do not contain.
 */
export function unknownIn({ values }: DocumentedOption, option: Option<unknown>) {
  const invalid = ['impossible'.repeat(20), Array(30).fill('impossible').join(',')]
  const reasons = invalid.map((value) => {
    const reading = readOptions({ option }, new URLSearchParams({ [option.name]: value }))
    return reading.ok ? '' : reading.reason
  })
  const words = namesIn(values).filter((word) => word !== '+')
  const limits = [...values.matchAll(/\d+/g)].map(([number]) => number)
  const isKnown = (part: string) =>
    part === '1' || reasons.some((reason) => new RegExp(`\\b${part}\\b`).test(reason))
  return [...words, ...limits].filter((part) => !isKnown(part))
}
