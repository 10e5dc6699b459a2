/* Words and date formats for boards, by language. */

/**
 * @typedef {object} Words
 * @property {string} today
 * @property {string} tomorrow
 * @property {string} announcement
 * @property {string} story
 * @property {string} volunteers
 * @property {string} bookings
 * @property {string} changes
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
    announcement: 'Announcement',
    story: 'News',
    volunteers: 'Can you help?',
    bookings: 'In use today',
    changes: 'Changed in the last 24 hours',
    nothing: 'Nothing is planned',
    asOf: 'as of',
    stale: 'No news since',
    open: (open, places) => `${open} of ${places} places open`,
  },
  de: {
    today: 'Heute',
    tomorrow: 'Morgen',
    announcement: 'Hinweis',
    story: 'Aktuelles',
    volunteers: 'Wer hilft mit?',
    bookings: 'Heute belegt',
    changes: 'In den letzten 24 Stunden geändert',
    nothing: 'Nichts geplant',
    asOf: 'Stand',
    stale: 'Keine neuen Daten seit',
    open: (open, places) => `${open} von ${places} Plätzen frei`,
  },
  es: {
    today: 'Hoy',
    tomorrow: 'Mañana',
    announcement: 'Aviso',
    story: 'Noticias',
    volunteers: '¿Puedes ayudar?',
    bookings: 'Ocupado hoy',
    changes: 'Cambios en las últimas 24 horas',
    nothing: 'No hay nada previsto',
    asOf: 'a las',
    stale: 'Sin datos nuevos desde',
    open: (open, places) => `${open} de ${places} plazas libres`,
  },
  fr: {
    today: 'Aujourd’hui',
    tomorrow: 'Demain',
    announcement: 'Annonce',
    story: 'Actualités',
    volunteers: 'Qui peut aider ?',
    bookings: 'Occupé aujourd’hui',
    changes: 'Changements des dernières 24 heures',
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
 * Cached formats, 20 KB each, least recently used first.
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
