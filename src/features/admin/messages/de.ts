import { listIn } from '../../../records/messages.ts'
import type { CardMessages } from './en.ts'

const list = listIn('de')

export const german: CardMessages = {
  contents: { calendar: 'Kalender', news: 'Neuigkeiten', members: 'Mitgliederliste' },
  yours: (contents) => `Für Sie: ${list(contents)}`,
  qrCode: (label) => `QR-Code des Links für ${label}`,
  howToOpen:
    'Scannen Sie den Code oder tippen Sie die Adresse ohne Leerzeichen ein. Geben Sie beides nicht weiter.',
  until: (day) => `Gültig bis ${day}.`,
}
