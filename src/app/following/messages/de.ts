import type { FollowTexts } from './en.ts'

export const german: FollowTexts = {
  confirm: {
    title: (site) => `Bitte bestätigen: E-Mails von ${site}`,
    asked: (site) =>
      `Jemand, vermutlich Sie, möchte E-Mails von ${site} an diese Adresse bekommen:`,
    button: 'Bestätigen',
    otherwise:
      'Der Knopf öffnet eine Seite, auf der Sie bestätigen, und funktioniert drei Tage lang. Falls Sie nichts angefordert haben, ignorieren Sie diese E-Mail. Sie bekommen dann nichts weiter, und wir löschen Ihre Adresse.',
  },
  renewal: {
    title: (site) => `Möchten Sie weiterhin E-Mails von ${site}?`,
    asked: (site) =>
      `Sie bekommen seit einem Jahr E-Mails von ${site}. Wenn das so bleiben soll, sagen Sie uns das innerhalb von 30 Tagen:`,
    button: 'Weiterhin E-Mails bekommen',
    otherwise:
      'Sonst brauchen Sie nichts zu tun. Sie bekommen dann keine E-Mails mehr, und wir löschen Ihre Adresse.',
  },
  tomorrow: {
    title: (titles) => `Morgen: ${titles}`,
    own: (title, clock) =>
      clock === '' ? `Morgen für Sie: ${title}` : `Morgen um ${clock} Uhr für Sie: ${title}`,
  },
  emergency: {
    until: (when) => `Bis ${when}`,
  },
  rest: 'Mehr steht auf der Website',
  footer: {
    reason: (site) => `Sie bekommen diese E-Mail, weil Sie ${site} darum gebeten haben.`,
    confirmReason: (site) =>
      `Sie bekommen diese E-Mail, weil jemand Ihre Adresse auf einer Seite von ${site} eingegeben hat.`,
    manage: 'Ändern, was Sie bekommen',
    end: 'Keine E-Mails mehr',
  },
}
