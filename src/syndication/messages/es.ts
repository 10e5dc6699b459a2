import { pluralIn } from '../../records/messages.ts'
import type { ItemMessages } from './en.ts'

const plural = pluralIn('es')

export const spanish: ItemMessages = {
  untitled: 'Sin título',
  unnamedFile: 'Archivo',
  labeled: (label, text) => `${label}: ${text}`,
  until: (time) => `Hasta el ${time}`,
  contact: 'Contacto',
  document: {
    meeting: (day) => `Reunión del ${day}`,
    openFiles: (files, link) =>
      plural(files, {
        one: `Abra este archivo en el ${link('sitio web')}.`,
        other: `Abra estos archivos en el ${link('sitio web')}.`,
      }),
    bytes: (size) => `${size} bytes`,
    kilobytes: (size) => `${Math.round(size)} KB`,
    megabytes: (size) => `${size.toFixed(1)} MB`,
  },
  forum: {
    lastPost(replies, time) {
      if (replies === undefined) return `Último mensaje: ${time}`
      if (replies === 0) return `Aún no hay respuestas; último mensaje: ${time}`
      return plural(replies, {
        one: `${replies} respuesta; último mensaje: ${time}`,
        other: `${replies} respuestas; último mensaje: ${time}`,
      })
    },
    locked: 'El tema está cerrado.',
    read: (link) => `Lea el tema en el ${link('sitio web')}.`,
    follow: (option) =>
      `Para seguir las respuestas, agregue ${option} a la dirección del canal del foro.`,
  },
  guestbook: {
    website: 'Sitio web',
    email: 'Correo electrónico',
    status: 'Estado',
    pending: 'Pendiente',
    offline: 'No publicado',
  },
  story: {
    watchVideo: 'Ver el video',
    listen: 'Escuchar la grabación',
    address: 'Dirección:',
    units: 'Unidades:',
    mutualAid: 'Ayuda mutua:',
  },
  certification: {
    expires: (name, day) => `${name} vence el ${day}`,
    expired: (name, day) => `${name} venció el ${day}`,
    issued: (day) => `Emitida el ${day}.`,
    number: (number) => `Número de certificado: ${number}.`,
  },
  options: {
    featured: { label: 'Noticias', byDefault: 'todas', others: { 1: 'solo las destacadas' } },
    content: {
      label: 'Contenido',
      byDefault: 'texto completo',
      others: { summary: 'un resumen breve' },
    },
  },
  course: {
    open: (title, link) => `Abra “${title}” en el ${link('sitio web')}.`,
    hours: (hours) =>
      plural(hours, {
        one: `${hours} hora de capacitación.`,
        other: `${hours} horas de capacitación.`,
      }),
    graded: 'Con calificación.',
    passScore: (percent) => `Con calificación: se aprueba con el ${percent}%.`,
    notGraded: 'Sin calificación.',
    attempts: (most) =>
      plural(most, { one: 'Un solo intento.', other: `Máximo ${most} intentos.` }),
    anyAttempts: 'Sin límite de intentos.',
  },
}
