import { pluralIn } from '../../records/messages.ts'
import type { ItemMessages } from './en.ts'

const plural = pluralIn('de')

export const german: ItemMessages = {
  untitled: 'Ohne Titel',
  unnamedFile: 'Datei',
  labeled: (label, text) => `${label}: ${text}`,
  until: (time) => `Bis ${time}`,
  contact: 'Kontakt',
  document: {
    meeting: (day) => `Sitzung am ${day}`,
    openFiles: (files, link) =>
      plural(files, {
        one: `Öffnen Sie diese Datei auf der ${link('Website')}.`,
        other: `Öffnen Sie diese Dateien auf der ${link('Website')}.`,
      }),
    bytes: (size) => `${size} Byte`,
    kilobytes: (size) => `${Math.round(size)} KB`,
    megabytes: (size) => `${decimal(size.toFixed(1))} MB`,
  },
  forum: {
    lastPost(replies, time) {
      if (replies === undefined) return `Letzter Beitrag: ${time}`
      if (replies === 0) return `Noch keine Antworten, letzter Beitrag: ${time}`
      return plural(replies, {
        one: `${replies} Antwort, letzter Beitrag: ${time}`,
        other: `${replies} Antworten, letzter Beitrag: ${time}`,
      })
    },
    locked: 'Das Thema ist geschlossen.',
    read: (link) => `Das ganze Thema lesen Sie auf der ${link('Website')}.`,
    follow: (option) =>
      `Um die Antworten zu abonnieren, hängen Sie ${option} an die Adresse des Forum-Feeds an.`,
  },
  guestbook: {
    website: 'Website',
    email: 'E-Mail',
    status: 'Status',
    pending: 'Wartet auf Freigabe',
    offline: 'Offline',
  },
  story: {
    watchVideo: 'Video ansehen',
    listen: 'Aufnahme anhören',
    address: 'Einsatzort:',
    units: 'Eingesetzte Kräfte:',
    mutualAid: 'Überörtliche Hilfe:',
  },
  certification: {
    expires: (name, day) => `${name} läuft am ${day} ab`,
    expired: (name, day) => `${name} ist am ${day} abgelaufen`,
    issued: (day) => `Ausgestellt am ${day}.`,
    number: (number) => `Zertifikatsnummer: ${number}.`,
  },
  options: {
    featured: { label: 'Neuigkeiten', byDefault: 'alle', others: { 1: 'nur hervorgehobene' } },
    content: {
      label: 'Inhalt',
      byDefault: 'vollständiger Text',
      others: { summary: 'kurze Zusammenfassung' },
    },
  },
  course: {
    open: (title, link) => `Öffnen Sie „${title}“ auf der ${link('Website')}.`,
    hours: (hours) =>
      plural(hours, {
        one: `${hours} Ausbildungsstunde.`,
        other: `${decimal(hours)} Ausbildungsstunden.`,
      }),
    graded: 'Mit Bewertung.',
    passScore: (percent) => `Mit Bewertung: bestanden ab ${percent}\u00a0%.`,
    notGraded: 'Ohne Bewertung.',
    attempts: (most) =>
      plural(most, { one: 'Nur ein Versuch.', other: `Höchstens ${most} Versuche.` }),
    anyAttempts: 'Beliebig viele Versuche.',
  },
}

function decimal(number: number | string): string {
  return String(number).replace('.', ',')
}
