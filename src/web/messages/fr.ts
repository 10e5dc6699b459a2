import type { PageMessages } from './en.ts'

export const french: PageMessages = {
  language: 'Langue',
  navigation: {
    calendar: 'Calendrier',
    news: 'Nouvelles',
    documents: 'Documents',
    members: 'Membres',
    mine: 'Pour moi',
    follow: 'Suivre',
  },
  notifyOnDevice: 'M’avertir sur cet appareil',
}
