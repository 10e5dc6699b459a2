import { nearestName } from '../feeds/nearest-name.ts'
import { invisibleFault, withoutInvisible } from './invisible-characters.ts'

/** Shorter names can resemble unrelated ones, just as HOME resembles HOST. */
const minLength = 8

/** Prefixes that variables for other programs are unlikely to have. */
const ownPrefixes = ['SITE_', 'CALLS_', 'PUBLIC_', 'FRESH_', 'WEBSUB_']

/**
 * Returns a sentence for each unknown name that resembles a setting. In a `.env` file, names with one of
 * the prefixes do, too. Any other name is assumed to belong to another program, such as Docker Compose.
 */
export function misspelledIn(
  place: 'file' | 'environment',
  names: readonly string[],
  known: readonly string[],
): readonly string[] {
  const unknown = names.filter((name) => !known.includes(name))
  return unknown.flatMap((name) => {
    const shown = withoutInvisible(name)
    if (known.includes(shown)) return [`The name ${shown} ${invisibleFault(name)}.`]
    const prefix = place === 'file' && ownPrefixes.find((each) => name.startsWith(each))
    const others = prefix ? known.filter((each) => each.startsWith(prefix)) : []
    const meant = similarSetting(name, known) ?? others.join(' or ')
    return meant === '' ? [] : [`Unknown setting ${name}; did you mean ${meant}?`]
  })
}

/** Returns the closest known name. The misspelled name may be a little shorter than `minLength`. */
function similarSetting(name: string, known: readonly string[]): string | undefined {
  const long = known.filter((setting) => setting.length >= minLength)
  return name.length < minLength - 2 ? undefined : nearestName(name, long)
}
