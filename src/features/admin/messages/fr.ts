import { listIn } from '../../../records/messages.ts'
import type { CardMessages } from './en.ts'

const list = listIn('fr')

export const french: CardMessages = {
  contents: { calendar: 'calendrier', news: 'nouvelles', members: 'liste des membres' },
  yours: (contents) => `Pour vous\u202F: ${list(contents)}`,
  qrCode: (label) => `Code QR du lien pour ${label}`,
  howToOpen: 'Balayez le code ou tapez l’adresse sans espaces. Gardez-la pour vous.',
  until: (day) => `Valable jusqu’au ${day}.`,
}
