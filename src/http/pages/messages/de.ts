import type { PageMessages } from './en.ts'

export const german: PageMessages = {
  navigation: {
    calendar: 'Kalender',
    news: 'Neuigkeiten',
    documents: 'Dokumente',
    members: 'Mitglieder',
    mine: 'Meins',
    follow: 'Abonnieren',
  },
}
