import { listIn } from '../../../records/messages.ts'
import type { FrameMessages } from './en.ts'

const list = listIn('de')

export const german: FrameMessages = {
  admin: 'Verwaltung',
  titled: (page, site) => `${page} – Verwaltung – ${site}`,
  pages: {
    links: 'Links',
    status: 'Status',
    previews: 'Vorschau',
    screens: 'Bildschirme',
    followers: 'Abonnenten',
    databases: 'Datenbanken',
    settings: 'Einstellungen',
    home: 'Startseite',
  },
  signOut: 'Abmelden',
  signIn: {
    title: 'Anmelden',
    heading: 'Anmeldung zur Verwaltung',
    about: (site) =>
      `Abo-Links, Bildschirme, Einstellungen und Status, für den Webmaster von ${site}.`,
    incorrect: 'Das Passwort ist falsch.',
    password: 'Passwort',
    button: 'Anmelden',
  },
  cards: {
    contents: { calendar: 'Kalender', news: 'Neuigkeiten', members: 'Mitgliederliste' },
    yours: (contents) => `Für Sie: ${list(contents)}`,
    qrCode: (label) => `QR-Code des Links für ${label}`,
    howToOpen:
      'Scannen Sie den Code oder tippen Sie die Adresse ohne Leerzeichen ein. Geben Sie beides nicht weiter.',
    until: (day) => `Gültig bis ${day}.`,
  },
}
