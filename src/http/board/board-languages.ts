const maxTagLength = 35

/** Intl maps unknown region numbers to this code. */
const unknownRegion = 'ZZ'

const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/**
 * Returns the language and region of a BCP 47 tag (`de`, `de-AT`); undefined if Intl cannot format dates
 * in it. Keeps a script that differs from the region's default (`sr-Latn-RS`). Drops variants and
 * extensions, because their number is unlimited.
 */
export function languageFrom(tag: string): string | undefined {
  const locale = localeFrom(tag)
  if (!locale) return undefined
  const { language, script, region } = locale
  if (Intl.DateTimeFormat.supportedLocalesOf(language).length === 0) return undefined
  if (region === undefined) return language
  if (region === unknownRegion || regionNames.of(region) === undefined) return undefined
  const short = `${language}-${region}`
  if (script === undefined || new Intl.Locale(short).maximize().script === script) return short
  const long = `${language}-${script}-${region}`
  return Intl.DateTimeFormat(long).resolvedOptions().locale.includes(script) ? long : undefined
}

/** Adds the region that a script implies, because it determines how Chinese dates are written. */
function localeFrom(tag: string): Intl.Locale | undefined {
  if (tag.length > maxTagLength) return undefined
  try {
    const locale = new Intl.Locale(tag)
    return locale.script === undefined ? locale : locale.maximize()
  } catch {
    return undefined
  }
}
