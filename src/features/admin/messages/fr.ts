import { listIn } from '../../../records/messages.ts'
import type { FrameMessages } from './en.ts'

const list = listIn('fr')

export const french: FrameMessages = {
  admin: 'Administration',
  titled: (page, site) => `${page} – Administration – ${site}`,
  pages: {
    links: 'Liens',
    status: 'État',
    previews: 'Aperçus',
    screens: 'Écrans',
    followers: 'Abonnés',
    databases: 'Bases de données',
    settings: 'Paramètres',
    home: 'Page d’accueil',
  },
  signOut: 'Se déconnecter',
  signIn: {
    title: 'Connexion',
    heading: 'Connexion à l’administration',
    about: (site) =>
      `Liens d’abonnement, écrans, paramètres et état, pour le responsable du site Web de ${site}.`,
    incorrect: 'Le mot de passe est incorrect.',
    password: 'Mot de passe',
    button: 'Se connecter',
  },
  cards: {
    contents: { calendar: 'calendrier', news: 'nouvelles', members: 'liste des membres' },
    yours: (contents) => `Pour vous\u202F: ${list(contents)}`,
    qrCode: (label) => `Code QR du lien pour ${label}`,
    howToOpen: 'Balayez le code ou tapez l’adresse sans espaces. Gardez-la pour vous.',
    until: (day) => `Valable jusqu’au ${day}.`,
  },
}
