import type { PageMessages } from './en.ts'

export const spanish: PageMessages = {
  language: 'Idioma',
  navigation: {
    calendar: 'Calendario',
    news: 'Noticias',
    documents: 'Documentos',
    members: 'Miembros',
    mine: 'Lo mío',
    follow: 'Seguir',
  },
  notifyOnDevice: 'Avisarme en este dispositivo',
}
