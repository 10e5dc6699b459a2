import { listIn, pluralIn } from '../../records/messages.ts'
import type { CalendarMessages } from './en.ts'

const plural = pluralIn('es')

const placesLeft = (open: number) =>
  plural(open, { one: 'queda 1 puesto libre', other: `quedan ${open} puestos libres` })
const placesAgain = (open: number) =>
  `vuelve a haber ${plural(open, { one: '1 puesto libre', other: `${open} puestos libres` })}`

const capitalized = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
const formerly = (before: string) => (before === '' ? '' : ` (antes: ${before})`)

export const spanish: CalendarMessages = {
  untitled: 'Sin título',
  canceled: (entry) => `Cancelado: ${entry}`,
  labeled: (label, value) => `${label}: ${value}`,
  list: listIn('es'),
  contact: 'Contacto',
  time: 'Hora',
  rental: {
    reserved: 'Reservado',
    renter: 'Reservado por',
    phone: 'Teléfono',
    rental: 'Alquiler',
    of: (type) => (/\b(?:alquiler|arriendo|renta)/i.test(type) ? type : `${type} (alquiler)`),
  },
  certification: {
    expires: (certification) => `Vencimiento de ${certification.replace(/^Una /, 'una ')}`,
    issued: 'Fecha de emisión',
    number: 'Número de certificado',
  },
  signUp: {
    group: 'Grupo',
    position: 'Puesto',
    signedUp: (people) => plural(people, { one: '1 inscrito', other: `${people} inscritos` }),
    taken: 'ocupado',
    takenOf: (taken) => plural(taken, { one: '1 ocupado', other: `${taken} ocupados` }),
    open: 'libre',
    openOf: (open) => plural(open, { one: '1 libre', other: `${open} libres` }),
    placesOpen: (open, all) =>
      plural(all, {
        one: `${open} de 1 puesto libre`,
        other: `${open} de ${all} puestos libres`,
      }),
  },
  own: {
    category: 'Lo mío',
    entry: (title) => `Para usted: ${title}`,
    role: (role, title) => `Para usted: ${role}, ${title}`,
    certificationExpires: 'Vencimiento de una certificación',
  },
  copy: 'Esta copia no refleja cambios posteriores. Suscríbase al calendario para estar al día.',
  omitted: {
    title: (entries) =>
      plural(entries, {
        one: 'Hay 1 evento más que no se muestra',
        other: `Hay ${entries} eventos más que no se muestran`,
      }),
    nearest: (entries) =>
      `Este calendario muestra los ${entries} eventos más cercanos a la fecha de hoy.`,
    smaller:
      'En la página de suscripción hay calendarios más pequeños. También puede elegir otros días si agrega past=DÍAS y future=DÍAS a la dirección de un calendario.',
    ofOrganizations:
      'Cada organización tiene además su propio calendario, que muestra más eventos.',
  },
  changes: {
    added: (entry) => `Nuevo: ${entry}`,
    back: (entry) => `Sí se realizará: ${entry}`,
    renamed: (title, before) => `${title} (antes: ${before})`,
    moved: (title, { now, before }) => `Reprogramado: ${title}, ahora ${now} (antes: ${before})`,
    newPlace: (entry, { now, before }) =>
      `Cambio de lugar: ${entry}, ahora en ${now}${formerly(before)}`,
    placeRemoved: (entry, before) => `Se quitó el lugar: ${entry}${formerly(before)}`,
    newTitle: (entry, before) => `Nuevo título: ${entry}${formerly(before)}`,
    placesBefore: {
      full: (text) => `Cupo completo: ${text}`,
      left: (open, text) => `${capitalized(placesLeft(open))}: ${text}`,
      again: (open, text) => `${capitalized(placesAgain(open))}: ${text}`,
    },
    placesAfter: {
      full: (text) => `${text}; cupo completo`,
      left: (open, text) => `${text}; ${placesLeft(open)}`,
      again: (open, text) => `${text}; ${placesAgain(open)}`,
    },
    dates: (title, { count, first, last }) =>
      `${title}, ${count} fechas entre el ${first} y el ${last}`,
    newPlaceOfAll: (events, { now, before }) =>
      `Cambio de lugar de ${events} eventos, ahora en ${now}${formerly(before)}`,
    placeOfAllRemoved: (events, before) =>
      `Se quitó el lugar de ${events} eventos${formerly(before)}`,
    more: (entries) => `y ${entries} más`,
    entryNow: (entry) => `Ahora: ${entry}`,
    entryBefore: (entry) => `Antes: ${entry}`,
  },
  options: {
    past: {
      label: 'Eventos pasados',
      byDefault: 'todos',
      others: { 0: 'ninguno', 30: '30 días', 365: 'un año' },
    },
    future: {
      label: 'Eventos futuros',
      byDefault: 'todos',
      others: { 14: '14 días', 90: '90 días', 365: 'un año' },
    },
    alarm: {
      label: 'Recordatorio',
      byDefault: 'ninguno',
      others: {
        0: 'al comienzo',
        15: '15 minutos antes',
        60: '1 hora antes',
        120: '2 horas antes',
        1440: '1 día antes',
      },
    },
    secondAlarm: 'Segundo recordatorio',
    dayAlarm: {
      label: 'Recordatorio de eventos de todo el día',
      byDefault: 'a las 6 p.m., si hay recordatorios',
      others: {
        '19:00': 'a las 7 p.m. del día anterior',
        '21:00': 'a las 9 p.m. del día anterior',
        '+07:00': 'a las 7 a.m.',
        '+09:00': 'a las 9 a.m.',
        none: 'nunca',
      },
    },
    cancelled: {
      label: 'Eventos cancelados',
      byDefault: 'desaparecen',
      others: { mark: 'permanecen 14 días, marcados como cancelados' },
    },
    changes: {
      label: 'Cambios',
      byDefault: 'no se mencionan',
      others: { note: 'se describen en el evento durante 3 días' },
    },
    busy: {
      label: 'Mostrarme como',
      byDefault: 'según la aplicación',
      others: { 0: 'libre', 1: 'ocupado' },
    },
    color: {
      label: 'Color',
      byDefault: 'según la aplicación',
      others: {
        b22222: 'rojo',
        d2691e: 'naranja',
        '2e8b57': 'verde',
        '4169e1': 'azul',
        '6a5acd': 'morado',
      },
    },
  },
}
