import { pluralIn } from '../../records/messages.ts'
import type { ItemMessages } from './en.ts'

const plural = pluralIn('fr')

export const french: ItemMessages = {
  untitled: 'Sans titre',
  unnamedFile: 'Fichier',
  labeled: (label, text) => `${label}\u202f: ${text}`,
  until: (time) => `Jusqu’au ${time}`,
  contact: 'Personne-ressource',
  document: {
    meeting: (day) => `Réunion du ${day}`,
    openFiles: (files, link) =>
      plural(files, {
        one: `Ouvrez ce fichier sur le ${link('site Web')}.`,
        other: `Ouvrez ces fichiers sur le ${link('site Web')}.`,
      }),
    bytes: (size) => plural(size, { one: `${size} octet`, other: `${size} octets` }),
    kilobytes: (size) => `${Math.round(size)}\u00a0ko`,
    megabytes: (size) => `${decimal(size.toFixed(1))}\u00a0Mo`,
  },
  forum: {
    lastPost(replies, time) {
      if (replies === undefined) return `Dernier message le ${time}`
      if (replies === 0) return `Aucune réponse pour le moment, dernier message le ${time}`
      return plural(replies, {
        one: `${replies} réponse, dernier message le ${time}`,
        other: `${replies} réponses, dernier message le ${time}`,
      })
    },
    locked: 'Le sujet est verrouillé.',
    read: (link) => `Lisez la discussion sur le ${link('site Web')}.`,
    follow: (option) => `Pour suivre les réponses, ajoutez ${option} à l’adresse du flux du forum.`,
  },
  guestbook: {
    website: 'Site Web',
    email: 'Courriel',
    status: 'État',
    pending: 'En attente',
    offline: 'Hors ligne',
  },
  story: {
    watchVideo: 'Regarder la vidéo',
    listen: 'Écouter l’enregistrement',
    address: 'Adresse\u202f:',
    units: 'Unités\u202f:',
    mutualAid: 'Entraide\u202f:',
  },
  certification: {
    expires: (name, day) => `${name} expire le ${day}`,
    expired: (name, day) => `${name} a expiré le ${day}`,
    issued: (day) => `Délivrée le ${day}.`,
    number: (number) => `Numéro de certificat\u202f: ${number}.`,
  },
  options: {
    featured: {
      label: 'Nouvelles',
      byDefault: 'toutes',
      others: { 1: 'celles à la une seulement' },
    },
    content: {
      label: 'Contenu',
      byDefault: 'texte intégral',
      others: { summary: 'un court résumé' },
    },
  },
  course: {
    open: (title, link) => `Ouvrez «\u202f${title}\u202f» sur le ${link('site Web')}.`,
    hours: (hours) =>
      plural(hours, {
        one: `${decimal(hours)} heure de formation.`,
        other: `${decimal(hours)} heures de formation.`,
      }),
    graded: 'Avec note.',
    passScore: (percent) => `Note de passage\u202f: ${percent}\u00a0%.`,
    notGraded: 'Sans note.',
    attempts: (most) =>
      plural(most, { one: 'Une seule tentative.', other: `${most} tentatives au maximum.` }),
    anyAttempts: 'Nombre de tentatives illimité.',
  },
}

function decimal(number: number | string): string {
  return String(number).replace('.', ',')
}
