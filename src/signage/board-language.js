/* Words and date formats of boards, by language. */

/**
 * @typedef {object} Words
 * @property {string} today
 * @property {string} tomorrow
 * @property {string} announcements
 * @property {string} news
 * @property {string} signup
 * @property {string} hall
 * @property {string} nothing
 * @property {string} asOf
 * @property {string} stale
 * @property {(open: number, places: number) => string} open
 */

/** @type {Readonly<Record<string, Words>>} */
const dictionary = {
  en: {
    today: 'Today',
    tomorrow: 'Tomorrow',
    announcements: 'Announcement',
    news: 'News',
    signup: 'Can you help?',
    hall: 'In use today',
    nothing: 'Nothing is planned',
    asOf: 'as of',
    stale: 'No news since',
    open: (open, places) => `${open} of ${places} places open`,
  },
  de: {
    today: 'Heute',
    tomorrow: 'Morgen',
    announcements: 'Hinweis',
    news: 'Aktuelles',
    signup: 'Wer hilft mit?',
    hall: 'Heute belegt',
    nothing: 'Nichts geplant',
    asOf: 'Stand',
    stale: 'Keine neuen Daten seit',
    open: (open, places) => `${open} von ${places} Plätzen frei`,
  },
  es: {
    today: 'Hoy',
    tomorrow: 'Mañana',
    announcements: 'Aviso',
    news: 'Noticias',
    signup: '¿Puedes ayudar?',
    hall: 'Ocupado hoy',
    nothing: 'No hay nada previsto',
    asOf: 'a las',
    stale: 'Sin datos nuevos desde',
    open: (open, places) => `${open} de ${places} plazas libres`,
  },
  fr: {
    today: 'Aujourd’hui',
    tomorrow: 'Demain',
    announcements: 'Annonce',
    news: 'Actualités',
    signup: 'Qui peut aider ?',
    hall: 'Occupé aujourd’hui',
    nothing: 'Rien de prévu',
    asOf: 'à',
    stale: 'Sans nouvelles depuis',
    open: (open, places) => `${open} places libres sur ${places}`,
  },
}

/**
 * @param {string} lang
 * @returns {Words}
 */
export function wordsOf(lang) {
  const [language = 'en'] = lang.toLowerCase().split('-')
  const words = Object.hasOwn(dictionary, language) ? dictionary[language] : dictionary['en']
  return /** @type {Words} */ (words)
}

/**
 * Most recently used last. Each takes 20 KB.
 * @type {Map<string, Intl.DateTimeFormat>}
 */
const formats = new Map()
const maxFormats = 200

/**
 * Returns a cached format; creating one is slow.
 * @param {string} lang
 * @param {Intl.DateTimeFormatOptions} options
 */
export function formatOf(lang, options) {
  const name = JSON.stringify([lang, options])
  const format = formats.get(name) ?? new Intl.DateTimeFormat(lang, options)
  formats.delete(name)
  formats.set(name, format)
  const [oldest] = formats.size > maxFormats ? formats.keys() : []
  if (oldest !== undefined) formats.delete(oldest)
  return format
}
