import { listIn, pluralIn } from '../../records/messages.ts'
import type { CalendarMessages } from './en.ts'

const plural = pluralIn('fr')

const placesLeft = (open: number) =>
  plural(open, { one: `il reste ${open} place`, other: `il reste ${open} places` })
const placesAgain = (open: number) =>
  plural(open, {
    one: `${open} place de nouveau libre`,
    other: `${open} places de nouveau libres`,
  })

const capitalized = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
const formerly = (before: string) => (before === '' ? '' : ` (auparavant ${before})`)

/** With a narrow no-break space before the colon, as is common in Canada. */
const labeled = (label: string, value: string) => `${label}\u202F: ${value}`

export const french: CalendarMessages = {
  untitled: 'Sans titre',
  canceled: (entry) => labeled('Annulé', entry),
  labeled,
  list: listIn('fr'),
  contact: 'Personne-ressource',
  time: 'Heure',
  rental: {
    reserved: 'Réservé',
    renter: 'Locataire',
    phone: 'Téléphone',
    rental: 'Location',
    of: (type) => (/\blocations?\b/i.test(type) ? type : `${type} (location)`),
  },
  certification: {
    expires: (certification) => `${certification} expire`,
    issued: 'Date de délivrance',
    number: 'Numéro de certificat',
  },
  signUp: {
    group: 'Groupe',
    position: 'Place',
    signedUp: (people) =>
      plural(people, {
        one: `${people} personne inscrite`,
        other: `${people} personnes inscrites`,
      }),
    taken: 'prise',
    takenOf: (taken) => plural(taken, { one: `${taken} prise`, other: `${taken} prises` }),
    open: 'libre',
    openOf: (open) => plural(open, { one: `${open} libre`, other: `${open} libres` }),
    placesOpen: (open, all) =>
      plural(open, {
        one: `${open} place libre sur ${all}`,
        other: `${open} places libres sur ${all}`,
      }),
  },
  own: {
    category: 'Mes activités',
    entry: (title) => labeled('Pour vous', title),
    role: (role, title) => labeled('Pour vous', `${role}, ${title}`),
    certificationExpires: 'une certification expire',
  },
  copy: 'Cette copie ne suit pas les changements ultérieurs. Abonnez-vous au calendrier pour rester à jour.',
  omitted: {
    title: (entries) =>
      plural(entries, {
        one: `${entries} autre activité n’est pas affichée`,
        other: `${entries} autres activités ne sont pas affichées`,
      }),
    nearest: (entries) =>
      `Ce calendrier présente les ${entries} activités les plus proches d’aujourd’hui.`,
    smaller:
      'La page d’abonnement offre des calendriers plus courts; pour choisir une autre période, ajoutez past=JOURS et future=JOURS à l’adresse d’un calendrier.',
    ofOrganizations: 'Chaque organisation a aussi son propre calendrier, plus complet.',
  },
  changes: {
    added: (entry) => labeled('Nouveau', entry),
    back: (entry) => labeled('Aura finalement lieu', entry),
    renamed: (title, before) => `${title} (anciennement ${before})`,
    moved: (title, { now, before }) =>
      labeled('Déplacé', `${title}, maintenant ${now} (auparavant ${before})`),
    newPlace: (entry, { now, before }) =>
      labeled('Nouveau lieu', `${entry}, maintenant ${now}${formerly(before)}`),
    placeRemoved: (entry, before) => labeled('Lieu retiré', `${entry}${formerly(before)}`),
    newTitle: (entry, before) => labeled('Nouveau titre', `${entry} (anciennement ${before})`),
    placesBefore: {
      full: (text) => labeled('Complet', text),
      left: (open, text) => labeled(capitalized(placesLeft(open)), text),
      again: (open, text) => labeled(placesAgain(open), text),
    },
    placesAfter: {
      full: (text) => `${text}; complet`,
      left: (open, text) => `${text}; ${placesLeft(open)}`,
      again: (open, text) => `${text}; ${placesAgain(open)}`,
    },
    dates: (title, { count, first, last }) => `${title}, ${count} dates du ${first} au ${last}`,
    newPlaceOfAll: (events, { now, before }) =>
      labeled(`Nouveau lieu pour ${events} activités`, `${now}${formerly(before)}`),
    placeOfAllRemoved: (events, before) =>
      `Lieu retiré pour ${events} activités${formerly(before)}`,
    more: (entries) =>
      plural(entries, { one: `et ${entries} autre`, other: `et ${entries} autres` }),
    entryNow: (entry) => labeled('Maintenant', entry),
    entryBefore: (entry) => labeled('Auparavant', entry),
  },
  options: {
    past: {
      label: 'Activités passées',
      byDefault: 'toutes',
      others: { 0: 'aucune', 30: '30 jours', 365: 'un an' },
    },
    future: {
      label: 'Activités à venir',
      byDefault: 'toutes',
      others: { 14: '14 jours', 90: '90 jours', 365: 'un an' },
    },
    alarm: {
      label: 'Rappel',
      byDefault: 'aucun',
      others: {
        0: 'à l’heure du début',
        15: '15 minutes avant',
        60: '1 heure avant',
        120: '2 heures avant',
        1440: '1 jour avant',
      },
    },
    secondAlarm: 'Deuxième rappel',
    dayAlarm: {
      label: 'Rappel des activités d’une journée entière',
      byDefault: 'à 18 h, si un rappel est choisi',
      others: {
        '19:00': 'la veille à 19 h',
        '21:00': 'la veille à 21 h',
        '+07:00': 'à 7 h',
        '+09:00': 'à 9 h',
        none: 'aucun',
      },
    },
    cancelled: {
      label: 'Activités annulées',
      byDefault: 'disparaissent',
      others: { mark: 'restent 14 jours, avec la mention «\u202fAnnulé\u202f»' },
    },
    changes: {
      label: 'Changements',
      byDefault: 'ne sont pas mentionnés',
      others: { note: 'sont décrits dans l’activité pendant 3 jours' },
    },
    busy: {
      label: 'M’afficher comme',
      byDefault: 'selon l’application',
      others: { 0: 'disponible', 1: 'occupé' },
    },
    color: {
      label: 'Couleur',
      byDefault: 'selon l’application',
      others: {
        b22222: 'rouge',
        d2691e: 'orange',
        '2e8b57': 'vert',
        '4169e1': 'bleu',
        '6a5acd': 'violet',
      },
    },
  },
}
