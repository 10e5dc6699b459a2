import type { PageMessages } from './en.ts'

export const german: PageMessages = {
  language: 'Sprache',
  navigation: {
    calendar: 'Kalender',
    news: 'Neuigkeiten',
    documents: 'Dokumente',
    members: 'Mitglieder',
    mine: 'Für mich',
    follow: 'Abonnieren',
  },
  notifyOnDevice: 'Auf diesem Gerät benachrichtigen',
}
