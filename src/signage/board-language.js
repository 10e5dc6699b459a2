/* Words and date formats for boards, by language. */

/** @type {(hours: number, minutes: number, hour: string) => string} */
function duration(hours, minutes, hour) {
  const parts = [hours > 0 ? `${hours} ${hour}` : '', minutes > 0 ? `${minutes} min` : '']
  return parts.filter((part) => part !== '').join(' ')
}

const english = {
  today: 'Today',
  tomorrow: 'Tomorrow',
  announcement: 'Announcement',
  story: 'News',
  volunteers: 'Can you help?',
  bookings: 'Rooms in use today',
  changes: 'Changed in the last 24 hours',
  nothing: 'Nothing is planned',
  nothingToday: 'Nothing today',
  asOf: 'Website last read',
  stale: 'No news since',
  onDuty: 'On duty now',
  nextOnDuty: 'Next on duty',
  changed: 'Changed',
  follow: 'Get this on your phone',
  emergency: 'Emergency',
  from: (/** @type {string} */ time) => `from ${time}`,
  until: (/** @type {string} */ time) => `until ${time}`,
  through: (/** @type {string} */ day) => `through ${day}`,
  inTime: (/** @type {number} */ hours, /** @type {number} */ minutes) =>
    `in ${duration(hours, minutes, 'h')}`,
  more: (/** @type {number} */ count) => `+${count} more`,
  open: (/** @type {number} */ open, /** @type {number} */ places) =>
    `${open} of ${places} places open`,
}

/** @type {Readonly<Record<string, typeof english>>} */
const dictionary = {
  en: english,
  de: {
    today: 'Heute',
    tomorrow: 'Morgen',
    announcement: 'Hinweis',
    story: 'Aktuelles',
    volunteers: 'Wer hilft mit?',
    bookings: 'Heute belegte Räume',
    changes: 'In den letzten 24 Stunden geändert',
    nothing: 'Nichts geplant',
    nothingToday: 'Heute nichts',
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
    nothingToday: 'Hoy no hay nada',
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
    nothingToday: 'Rien aujourd’hui',
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

/** @type {(lang: string) => typeof english} */
export function wordsOf(lang) {
  const [language = ''] = lang.toLowerCase().split('-')
  return (Object.hasOwn(dictionary, language) && dictionary[language]) || english
}

/**
 * Cached formats, 20 KB each, least recently used first.
 * @type {Map<string, Intl.DateTimeFormat>}
 */
const formats = new Map()
const maxFormats = 200

/**
 * Returns a cached format, because creating one is slow.
 * @type {(lang: string, options: Intl.DateTimeFormatOptions) => Intl.DateTimeFormat}
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
