import type { FollowTexts } from './en.ts'

export const spanish: FollowTexts = {
  confirm: {
    title: (site) => `Confirme su suscripción a los correos de ${site}`,
    asked: (site) => `Alguien, seguramente usted, pidió correos de ${site} para esta dirección:`,
    button: 'Confirmar',
    otherwise:
      'El enlace es válido durante tres días. Si usted no pidió esto, ignore este correo. No le enviaremos nada más y borraremos su dirección.',
  },
  invite: {
    title: (site) => `Su calendario y sus noticias de ${site}`,
    text: (site) =>
      `${site} ha preparado una página para usted, con su calendario y sus noticias. Desde ahí puede añadirlo todo al calendario de su teléfono.`,
    button: 'Abrir su página',
    private: 'La página es solo para usted. Por favor, no reenvíe este correo.',
  },
  renewal: {
    title: (site) => `¿Todavía quiere recibir correos de ${site}?`,
    asked: (site) =>
      `Recibe correos de ${site} en esta dirección. Si quiere seguir recibiéndolos, confírmelo en los próximos 30 días:`,
    button: 'Seguir recibiendo correos',
    otherwise:
      'Si no, no tiene que hacer nada. Dejaremos de enviarle correos y borraremos su dirección.',
  },
  welcome: {
    title: 'Los avisos están activados',
    text: (site) =>
      `Recibirá los avisos de ${site} en este dispositivo. Puede desactivarlos en la misma página.`,
  },
  weekly: {
    title: (highlight) => `Esta semana: ${highlight}`,
    on: (title, weekday) => `${title}, el ${weekday}`,
    next: (title, day) => `Próximamente: ${title}, ${day}`,
    expiring: 'Certificaciones por vencer',
    nothing: 'No hay nada previsto en los próximos siete días.',
  },
  tomorrow: {
    title: (titles) => `Mañana: ${titles}`,
    own: (title, clock) =>
      clock === '' ? `Usted tiene mañana: ${title}` : `Usted tiene mañana: ${title}, ${clock}`,
  },
  emergency: {
    until: (when) => `Hasta: ${when}`,
  },
  calendar: 'Calendario completo',
  add: 'Añadir al calendario',
  rest: 'Hay más en el sitio web',
  footer: {
    reason: (site) => `Recibe este correo porque se suscribió a los correos de ${site}.`,
    confirmReason: (site) =>
      `Recibe este correo porque alguien escribió su dirección en una página de ${site}.`,
    inviteReason: (site) =>
      `Recibe este correo porque su dirección figura en la lista de miembros de ${site}.`,
    manage: 'Cambiar lo que recibe',
    end: 'Cancelar la suscripción',
  },
}
