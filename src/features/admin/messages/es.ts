import { listIn } from '../../../records/messages.ts'
import type { FrameMessages } from './en.ts'

const list = listIn('es')

export const spanish: FrameMessages = {
  admin: 'Administración',
  titled: (page, site) => `${page} – Administración – ${site}`,
  pages: {
    links: 'Enlaces',
    status: 'Estado',
    previews: 'Vistas previas',
    screens: 'Pantallas',
    followers: 'Seguidores',
    databases: 'Bases de datos',
    settings: 'Configuración',
    home: 'Página principal',
  },
  signOut: 'Cerrar sesión',
  signIn: {
    title: 'Iniciar sesión',
    heading: 'Administración: iniciar sesión',
    about: (site) =>
      `Enlaces, pantallas, configuración y estado, para la persona encargada del sitio web de ${site}.`,
    incorrect: 'La contraseña no es correcta.',
    password: 'Contraseña',
    button: 'Iniciar sesión',
  },
  cards: {
    contents: { calendar: 'calendario', news: 'noticias', members: 'lista de miembros' },
    yours: (contents) => `Para usted: ${list(contents)}`,
    qrCode: (label) => `Código QR del enlace para ${label}`,
    howToOpen: 'Escanee el código o escriba la dirección sin espacios. No la comparta.',
    until: (day) => `Válido hasta el ${day}.`,
  },
}
