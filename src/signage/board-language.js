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
 * @property {string} onDuty
 * @property {string} nextOnDuty
 * @property {string} changed
 * @property {string} follow
 * @property {string} emergency
 * @property {(time: string) => string} from
 * @property {(time: string) => string} until
 * @property {(day: string) => string} through
 * @property {(hours: number, minutes: number) => string} inTime
 * @property {(count: number) => string} more
 * @property {(open: number, places: number) => string} open
 */

/**
 * @param {number} hours
 * @param {number} minutes
 * @param {string} hour
 */
function duration(hours, minutes, hour) {
  const parts = [hours > 0 ? `${hours} ${hour}` : '', minutes > 0 ? `${minutes} min` : '']
  return parts.filter((part) => part !== '').join(' ')
}

/** @type {Readonly<Record<string, Words>>} */
const dictionary = {
  en: {
    today: 'Today',
    tomorrow: 'Tomorrow',
    announcement: 'Announcement',
    story: 'News',
    volunteers: 'Can you help?',
    bookings: 'Rooms in use today',
    changes: 'Changed in the last 24 hours',
    nothing: 'Nothing is planned',
    asOf: 'Website last read',
    stale: 'No news since',
    onDuty: 'On duty now',
    nextOnDuty: 'Next on duty',
    changed: 'Changed',
    follow: 'Get this on your phone',
    emergency: 'Emergency',
    from: (time) => `from ${time}`,
    until: (time) => `until ${time}`,
    through: (day) => `through ${day}`,
    inTime: (hours, minutes) => `in ${duration(hours, minutes, 'h')}`,
    more: (count) => `+${count} more`,
    open: (open, places) => `${open} of ${places} places open`,
  },
  de: {
    today: 'Heute',
    tomorrow: 'Morgen',
    announcement: 'Hinweis',
    story: 'Aktuelles',
    volunteers: 'Wer hilft mit?',
    bookings: 'Heute belegte Räume',
    changes: 'In den letzten 24 Stunden geändert',
    nothing: 'Nichts geplant',
    asOf: 'Website zuletzt gelesen:',
    stale: 'Keine neuen Daten seit',
    onDuty: 'Jetzt im Dienst',
    nextOnDuty: 'Als Nächstes im Dienst',
    changed: 'Geändert',
    follow: 'Aufs Handy holen',
    emergency: 'Notfall',
    from: (time) => `ab ${time}`,
    until: (time) => `bis ${time}`,
    through: (day) => `bis ${day}`,
    inTime: (hours, minutes) => `in ${duration(hours, minutes, 'Std.')}`,
    more: (count) => `+${count} weitere`,
    open: (open, places) => `${open} von ${places} Plätzen frei`,
  },
  es: {
    today: 'Hoy',
    tomorrow: 'Mañana',
    announcement: 'Aviso',
    story: 'Noticias',
    volunteers: '¿Puedes ayudar?',
    bookings: 'Salas ocupadas hoy',
    changes: 'Cambios en las últimas 24 horas',
    nothing: 'No hay nada previsto',
    asOf: 'Sitio web leído:',
    stale: 'Sin datos nuevos desde',
    onDuty: 'De guardia ahora',
    nextOnDuty: 'Siguiente guardia',
    changed: 'Cambiado',
    follow: 'En tu teléfono',
    emergency: 'Emergencia',
    from: (time) => `desde ${time}`,
    until: (time) => `hasta ${time}`,
    through: (day) => `hasta ${day}`,
    inTime: (hours, minutes) => `en ${duration(hours, minutes, 'h')}`,
    more: (count) => `+${count} más`,
    open: (open, places) => `${open} de ${places} plazas libres`,
  },
  fr: {
    today: 'Aujourd’hui',
    tomorrow: 'Demain',
    announcement: 'Annonce',
    story: 'Actualités',
    volunteers: 'Qui peut aider ?',
    bookings: 'Salles occupées aujourd’hui',
    changes: 'Changements des dernières 24 heures',
    nothing: 'Rien de prévu',
    asOf: 'Site web lu à',
    stale: 'Sans nouvelles depuis',
    onDuty: 'De garde maintenant',
    nextOnDuty: 'Prochaine garde',
    changed: 'Modifié',
    follow: 'Sur votre téléphone',
    emergency: 'Urgence',
    from: (time) => `à partir de ${time}`,
    until: (time) => `jusqu’à ${time}`,
    through: (day) => `jusqu’au ${day}`,
    inTime: (hours, minutes) => `dans ${duration(hours, minutes, 'h')}`,
    more: (count) => `+${count} autres`,
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
