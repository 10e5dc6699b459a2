import { nearestName } from '../feeds/nearest-name.ts'

/** Shorter names can resemble unrelated ones, just as HOME resembles HOST. */
const minLength = 8

/** Prefixes that variables for other programs are unlikely to have. */
const ownPrefixes = ['SITE_', 'CALLS_', 'PUBLIC_', 'FRESH_', 'WEBSUB_']

/**
 * Returns a sentence for each unknown name in a `.env` file that resembles a setting. Any other name is
 * assumed to belong to another program, such as Docker Compose.
 */
export function misspelledInFile(
  names: readonly string[],
  known: readonly string[],
): readonly string[] {
  return names.flatMap((name) => {
    if (known.includes(name)) return []
    const meant = similarSetting(name, known)
    if (meant !== undefined) return [suggestionFor(name, meant)]
    const prefix = ownPrefixes.find((each) => name.startsWith(each))
    const others = known.filter((each) => prefix !== undefined && each.startsWith(prefix))
    return others.length === 0 ? [] : [suggestionFor(name, others.join(' or '))]
  })
}

/** Returns a sentence for each name in the environment that is probably a misspelled setting. */
export function misspelledInEnvironment(
  names: readonly string[],
  known: readonly string[],
): readonly string[] {
  return names.flatMap((name) => {
    const meant = known.includes(name) ? undefined : similarSetting(name, known)
    return meant === undefined ? [] : [suggestionFor(name, meant)]
  })
}

function suggestionFor(name: string, meant: string): string {
  return `Unknown setting ${name}; did you mean ${meant}?`
}

/** Returns the closest known name. The misspelled name may be a little shorter than `minLength`. */
function similarSetting(name: string, known: readonly string[]): string | undefined {
  const long = known.filter((setting) => setting.length >= minLength)
  return name.length < minLength - 2 ? undefined : nearestName(name, long)
}
