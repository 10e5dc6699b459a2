import type { FollowTexts } from './en.ts'

export const german: FollowTexts = {
  confirm: {
    title: (site) => `Bitte bestätigen: E-Mails von ${site}`,
    asked: (site) =>
      `Jemand, vermutlich Sie, möchte E-Mails von ${site} an diese Adresse erhalten:`,
    button: 'Bestätigen',
    otherwise:
      'Der Link ist drei Tage gültig. Falls Sie nichts angefordert haben, ignorieren Sie diese E-Mail. Sie erhalten dann keine weiteren, und wir löschen Ihre Adresse.',
  },
  invite: {
    title: (site) => `Ihr Kalender und Ihre Neuigkeiten von ${site}`,
    text: (site) =>
      `${site} hat für Sie eine Seite mit Kalender und Neuigkeiten eingerichtet. Von dort können Sie alles in den Kalender Ihres Telefons übernehmen.`,
    button: 'Ihre Seite öffnen',
    private: 'Die Seite ist nur für Sie. Bitte leiten Sie diese E-Mail nicht weiter.',
  },
  renewal: {
    title: (site) => `Möchten Sie weiterhin E-Mails von ${site}?`,
    asked: (site) =>
      `Sie erhalten an diese Adresse E-Mails von ${site}. Wenn das so bleiben soll, bestätigen Sie es bitte innerhalb von 30 Tagen:`,
    button: 'Weiterhin E-Mails erhalten',
    otherwise:
      'Andernfalls müssen Sie nichts tun. Sie erhalten dann keine E-Mails mehr, und wir löschen Ihre Adresse.',
  },
  welcome: {
    title: 'Die Benachrichtigungen sind eingeschaltet',
    text: (site) =>
      `Sie erhalten auf diesem Gerät Benachrichtigungen von ${site}. Sie können sie auf derselben Seite ausschalten.`,
  },
  weekly: {
    title: (highlight) => `Diese Woche: ${highlight}`,
    on: (title, weekday) => `${title} am ${weekday}`,
    next: (title, day) => `Demnächst: ${title}, ${day}`,
    expiring: 'Zertifikate laufen ab',
    nothing: 'In den nächsten sieben Tagen ist nichts geplant.',
  },
  tomorrow: {
    title: (titles) => `Morgen: ${titles}`,
    own: (title, clock) =>
      clock === '' ? `Morgen für Sie: ${title}` : `Morgen um ${clock} Uhr für Sie: ${title}`,
  },
  emergency: {
    until: (when) => `Bis ${when}`,
  },
  calendar: 'Ganzer Kalender',
  add: 'In den Kalender',
  rest: 'Mehr auf der Website',
  footer: {
    reason: (site) =>
      `Sie erhalten diese E-Mail, weil Sie sich für E-Mails von ${site} angemeldet haben.`,
    confirmReason: (site) =>
      `Sie erhalten diese E-Mail, weil jemand Ihre Adresse auf einer Seite von ${site} eingegeben hat.`,
    inviteReason: (site) =>
      `Sie erhalten diese E-Mail, weil Ihre Adresse in der Mitgliederliste von ${site} steht.`,
    manage: 'Auswahl ändern',
    end: 'E-Mails abbestellen',
  },
}
