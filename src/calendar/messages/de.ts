import { listIn, pluralIn } from '../../records/messages.ts'
import type { CalendarMessages } from './en.ts'

const plural = pluralIn('de')

const places = (open: number) => plural(open, { one: '1 Platz', other: `${open} Plätze` })
const formerly = (before: string) => (before === '' ? '' : ` (bisher ${before})`)

export const german: CalendarMessages = {
  untitled: 'Ohne Titel',
  canceled: (entry) => `Abgesagt: ${entry}`,
  labeled: (label, value) => `${label}: ${value}`,
  list: listIn('de'),
  contact: 'Kontakt',
  time: 'Uhrzeit',
  rental: {
    reserved: 'Belegt',
    renter: 'Mieter',
    phone: 'Telefon',
    rental: 'Vermietung',
    of: (type) => (/(?:vermietung|miete)/i.test(type) ? type : `${type} (Vermietung)`),
  },
  certification: {
    expires: (certification) => `${certification} läuft ab`,
    issued: 'Ausgestellt',
    number: 'Zertifikatsnummer',
  },
  signUp: {
    group: 'Gruppe',
    position: 'Platz',
    signedUp: (people) => `${people} angemeldet`,
    taken: 'vergeben',
    takenOf: (taken) => `${taken} vergeben`,
    open: 'frei',
    openOf: (open) => `${open} frei`,
    placesOpen: (open, all) =>
      plural(all, { one: `${open} von 1 Platz frei`, other: `${open} von ${all} Plätzen frei` }),
  },
  own: {
    category: 'Persönlich',
    entry: (title) => `Ihr Termin: ${title}`,
    role: (role, title) => `Ihr Dienst: ${role}, ${title}`,
    certificationExpires: 'ein Zertifikat läuft ab',
  },
  copy: 'Diese Kopie ändert sich nicht mehr. Abonnieren Sie den Kalender, um auf dem Laufenden zu bleiben.',
  omitted: {
    title: (entries) =>
      plural(entries, {
        one: '1 weiterer Termin wird nicht angezeigt',
        other: `${entries} weitere Termine werden nicht angezeigt`,
      }),
    nearest: (entries) =>
      `Dieser Kalender zeigt die ${entries} Termine, die dem heutigen Tag am nächsten liegen.`,
    smaller:
      'Auf der Abo-Seite gibt es kleinere Kalender; mit past=TAGE und future=TAGE in der Adresse eines Kalenders wählen Sie einen anderen Zeitraum.',
    ofOrganizations:
      'Jede Organisation hat außerdem ihren eigenen Kalender, der mehr Termine zeigt.',
  },
  changes: {
    added: (entry) => `Neu: ${entry}`,
    back: (entry) => `Findet doch statt: ${entry}`,
    renamed: (title, before) => `${title} (bisher ${before})`,
    moved: (title, { now, before }) => `Verschoben: ${title}, jetzt ${now} (bisher ${before})`,
    newPlace: (entry, { now, before }) => `Neuer Ort: ${entry}, jetzt ${now}${formerly(before)}`,
    placeRemoved: (entry, before) => `Ort nicht mehr angegeben: ${entry}${formerly(before)}`,
    newTitle: (entry, before) => `Neuer Titel: ${entry}${formerly(before)}`,
    placesBefore: {
      full: (text) => `Alle Plätze vergeben: ${text}`,
      left: (open, text) => `Noch ${places(open)} frei: ${text}`,
      again: (open, text) => `Wieder ${places(open)} frei: ${text}`,
    },
    placesAfter: {
      full: (text) => `${text}; alle Plätze vergeben`,
      left: (open, text) => `${text}; noch ${places(open)} frei`,
      again: (open, text) => `${text}; wieder ${places(open)} frei`,
    },
    dates: (title, { count, first, last }) => `${title}, ${count} Termine von ${first} bis ${last}`,
    newPlaceOfAll: (events, { now, before }) =>
      `Neuer Ort für ${events} Termine: ${now}${formerly(before)}`,
    placeOfAllRemoved: (events, before) =>
      `Ort von ${events} Terminen nicht mehr angegeben${formerly(before)}`,
    more: (entries) => `und ${plural(entries, { one: '1 weiterer', other: `${entries} weitere` })}`,
    entryNow: (entry) => `Jetzt: ${entry}`,
    entryBefore: (entry) => `Bisher: ${entry}`,
  },
  options: {
    past: {
      label: 'Vergangene Termine',
      byDefault: 'alle',
      others: { 0: 'keine', 30: '30 Tage', 365: 'ein Jahr' },
    },
    future: {
      label: 'Kommende Termine',
      byDefault: 'alle',
      others: { 14: '14 Tage', 90: '90 Tage', 365: 'ein Jahr' },
    },
    alarm: {
      label: 'Erinnerung',
      byDefault: 'keine',
      others: {
        0: 'zum Beginn',
        15: '15 Minuten vorher',
        60: '1 Stunde vorher',
        120: '2 Stunden vorher',
        1440: '1 Tag vorher',
      },
    },
    secondAlarm: 'Zweite Erinnerung',
    dayAlarm: {
      label: 'An ganztägige Termine erinnern',
      byDefault: 'um 18 Uhr, falls aktiviert',
      others: {
        '19:00': 'am Vortag um 19 Uhr',
        '21:00': 'am Vortag um 21 Uhr',
        '+07:00': 'um 7 Uhr',
        '+09:00': 'um 9 Uhr',
        none: 'nie',
      },
    },
    cancelled: {
      label: 'Abgesagte Termine',
      byDefault: 'verschwinden',
      others: { mark: 'bleiben 14 Tage als „abgesagt“ stehen' },
    },
    changes: {
      label: 'Änderungen',
      byDefault: 'werden nicht erwähnt',
      others: { note: 'stehen 3 Tage lang im Termin' },
    },
    busy: {
      label: 'Anzeigen als',
      byDefault: 'Standard der App',
      others: { 0: 'frei', 1: 'beschäftigt' },
    },
    color: {
      label: 'Farbe',
      byDefault: 'Standard der App',
      others: {
        b22222: 'Rot',
        d2691e: 'Orange',
        '2e8b57': 'Grün',
        '4169e1': 'Blau',
        '6a5acd': 'Violett',
      },
    },
  },
}
