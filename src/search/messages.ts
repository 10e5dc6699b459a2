import { messagesIn } from '../records/messages.ts'
import type { searchLimits } from './search.ts'

type Limits = typeof searchLimits

const english = {
  words: ({ maxLength, maxTerms }: Limits) => ({
    label: 'Only with these words',
    inWords: (text: string) => `only with “${text}”`,
    fault: `Enter at most ${maxTerms} words, with at most ${maxLength} characters in total.`,
  }),
  place: (maxLength: number) => ({
    label: 'Only at this place',
    inWords: (text: string) => `only at “${text}”`,
    fault: `The name of the place can have at most ${maxLength} characters.`,
  }),
}

const spanish: typeof english = {
  words: ({ maxLength, maxTerms }) => ({
    label: 'Solo con estas palabras',
    inWords: (text) => `solo con “${text}”`,
    fault: `Escriba como máximo ${maxTerms} palabras y ${maxLength} caracteres en total.`,
  }),
  place: (maxLength) => ({
    label: 'Solo en este lugar',
    inWords: (text) => `solo en “${text}”`,
    fault: `El nombre del lugar puede tener como máximo ${maxLength} caracteres.`,
  }),
}

const french: typeof english = {
  words: ({ maxLength, maxTerms }) => ({
    label: 'Uniquement avec ces mots',
    inWords: (text) => `uniquement avec «\u202f${text}\u202f»`,
    fault: `Saisissez au maximum ${maxTerms} mots et ${maxLength} caractères en tout.`,
  }),
  place: (maxLength) => ({
    label: 'Uniquement à cet endroit',
    inWords: (text) => `uniquement à l’endroit «\u202f${text}\u202f»`,
    fault: `Le nom du lieu ne peut pas dépasser ${maxLength} caractères.`,
  }),
}

const german: typeof english = {
  words: ({ maxLength, maxTerms }) => ({
    label: 'Nur mit diesen Wörtern',
    inWords: (text) => `nur mit „${text}“`,
    fault: `Geben Sie höchstens ${maxTerms} Wörter mit insgesamt höchstens ${maxLength} Zeichen ein.`,
  }),
  place: (maxLength) => ({
    label: 'Nur an diesem Ort',
    inWords: (text) => `nur am Ort „${text}“`,
    fault: `Der Name des Ortes darf höchstens ${maxLength} Zeichen haben.`,
  }),
}

export const searchMessages = messagesIn({ en: english, es: spanish, fr: french, de: german })
