export const languages = ['en', 'es', 'fr', 'de'] as const
export type Language = (typeof languages)[number]

/** Each language's name for itself. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  de: 'Deutsch',
}

/** Pseudo language for developers, with marked and longer messages (`pseudoMessages`). */
export const pseudoLanguage = 'en-XA'

/** Extra length of messages in the pseudo language, relative to English. */
const pseudoGrowth = 0.4

/** Default regions of languages other than the website's. */
const usualRegions: Readonly<Record<Language, string>> = { en: 'US', es: 'US', fr: 'CA', de: 'DE' }

/**
 * Returns the language of Feedhouse's text for a canonical BCP 47 tag: English if the tag's language
 * is not supported. Every line of an entry calls this, so it does not use `Intl.Locale` (2 µs).
 */
export function spokenLanguage(tag: string): Language {
  return languages.find((each) => tag === each || tag.startsWith(`${each}-`)) ?? 'en'
}

/** Returns the tag itself if Feedhouse supports its language, or `en`. */
export function spokenTag(tag: string): string {
  return new Intl.Locale(tag).language === spokenLanguage(tag) ? tag : 'en'
}

/**
 * Returns the tag of a language on a site: the site's own tag, or the language with the site's
 * region if Intl knows its formats there (`es-US`, but not `fr-US`).
 */
export function tagFor(language: Language, siteLanguage: string): string {
  const site = new Intl.Locale(siteLanguage)
  if (site.language === language) return siteLanguage
  const regional = `${language}-${site.maximize().region}`
  const isKnown = Intl.DateTimeFormat(regional).resolvedOptions().locale === regional
  return isKnown ? regional : `${language}-${usualRegions[language]}`
}

/** Adds the region that a language has on a site, if the tag is a supported language without a region. */
export function regionalTag(tag: string, siteLanguage: string): string {
  const language = languages.find((each) => each === tag)
  return language === undefined ? tag : tagFor(language, siteLanguage)
}

export function messagesIn<Messages extends object>(
  messages: Readonly<Record<Language, Messages>>,
): (tag: string) => Messages {
  let pseudo: Messages | undefined
  return (tag) => {
    if (tag !== pseudoLanguage) return messages[spokenLanguage(tag)]
    pseudo ??= pseudoMessages(messages.en)
    return pseudo
  }
}

/** Puts each message in brackets and makes it longer, which reveals text that is not a message. */
export function pseudoMessages<Message>(message: Message): Message {
  return pseudoOf(message) as Message
}

function pseudoOf(message: unknown): unknown {
  if (typeof message === 'string') {
    const added = Math.floor(message.length * pseudoGrowth)
    return message === '' ? '' : `⟦${message}${'~~~~ '.repeat(added).slice(0, added)}⟧`
  }
  if (typeof message === 'function') return (...given: unknown[]) => pseudoOf(message(...given))
  if (Array.isArray(message)) return message.map(pseudoOf)
  if (typeof message !== 'object' || message === null) return message
  return Object.fromEntries(Object.entries(message).map(([key, each]) => [key, pseudoOf(each)]))
}

/** Forms of a message for a language's plural categories. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }

export function pluralIn(language: Language): (count: number, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(language)
  return (count, forms) => forms[rules.select(count)] ?? forms.other
}

/** Returns a function that joins texts into a list: `a, b y c`. */
export function listIn(language: Language): (items: readonly string[]) => string {
  const format = new Intl.ListFormat(language)
  return (items) => format.format(items)
}

/** Adds a period, unless the text already ends with one, as in `p.m.`. */
export function endedWithPeriod(text: string): string {
  return text.endsWith('.') ? text : `${text}.`
}
