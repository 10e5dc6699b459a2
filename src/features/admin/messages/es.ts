import { listIn } from '../../../records/messages.ts'
import type { CardMessages } from './en.ts'

const list = listIn('es')

export const spanish: CardMessages = {
  contents: { calendar: 'calendario', news: 'noticias', members: 'lista de miembros' },
  yours: (contents) => `Para usted: ${list(contents)}`,
  qrCode: (label) => `Código QR del enlace para ${label}`,
  howToOpen: 'Escanee el código o escriba la dirección sin espacios. No la comparta.',
  until: (day) => `Válido hasta el ${day}.`,
}
