import type { FeedMessages } from './en.ts'

export const spanish: FeedMessages = {
  feeds: {
    calendar: {
      title: 'Calendario',
      summary: 'Prácticas, reuniones y guardias de los miembros.',
      prefix: 'Miembros:',
    },
    events: {
      title: 'Eventos',
      summary: 'Eventos públicos, tal como se anuncian en el sitio web.',
      prefix: 'Evento:',
      label: 'Eventos públicos',
    },
    rental: {
      title: 'Alquileres',
      summary: 'Cuándo están ocupados los salones.',
      prefix: 'Alquiler:',
    },
    signup: {
      title: 'Inscripciones',
      summary: 'En qué puede inscribirse y cuántos puestos libres quedan.',
      prefix: 'Inscripción:',
      label: 'Inscripciones abiertas',
    },
    news: { title: 'Noticias', summary: 'Noticias, primero las más recientes.' },
    announcements: { title: 'Avisos', summary: 'Avisos vigentes del sitio web.' },
    minutes: { title: 'Actas', summary: 'Actas de las reuniones, primero las más recientes.' },
    documents: {
      title: 'Documentos',
      summary: 'Documentos del sitio web, primero los más recientes.',
    },
    guestbook: {
      title: 'Libro de visitas',
      summary: 'Mensajes del libro de visitas, primero los más recientes.',
    },
    forum: {
      title: 'Foro',
      summary: 'Temas del foro, primero los de actividad más reciente.',
    },
    training: {
      title: 'Certificaciones',
      summary: 'Cuándo vencen las certificaciones de los miembros.',
      prefix: 'Capacitación:',
    },
    presentations: {
      title: 'Presentaciones de capacitación',
      summary: 'Presentaciones del centro de capacitación, primero las más recientes.',
    },
    quizzes: {
      title: 'Cuestionarios de capacitación',
      summary: 'Cuestionarios del centro de capacitación, primero los más recientes.',
    },
    members: { title: 'Miembros', summary: 'Los datos de contacto de los miembros.' },
    changes: {
      title: 'Cambios',
      summary:
        'Lo que cambió en los calendarios: horarios, lugares, cancelaciones y eventos nuevos.',
    },
    digest: {
      title: 'Resumen semanal',
      summary:
        'Una vez por semana: próximos eventos, cambios y noticias, para un boletín por correo electrónico.',
    },
  },
  coming: 'Próximamente',
  prefixFor: (title) => `${title}:`,
  titled: (organization, title) => `${organization}: ${title}`,
  databases: {
    summary: 'Registros de una base de datos del sitio web, primero los cambios más recientes.',
    datesSummary: 'Fechas de una base de datos del sitio web.',
  },
  topic: {
    summary: 'Respuestas a este tema del foro.',
    unavailable: 'Este tema no está disponible.',
  },
  combined: {
    all: {
      title: 'Todo en uno',
      calendar: {
        title: 'Todos los calendarios',
        summary: 'Todos los calendarios en uno solo, sin eventos repetidos.',
        summaryWithDuplicates: 'Todos los calendarios en uno solo.',
      },
      news: {
        title: 'Todas las noticias',
        summary: 'Todas las noticias en un solo canal, para lectores RSS.',
      },
    },
    my: {
      title: 'Mis suscripciones',
      calendar: {
        title: 'Mi calendario',
        summary:
          'Los calendarios de este enlace de suscripción en uno solo, sin eventos repetidos.',
        summaryWithDuplicates: 'Los calendarios de este enlace de suscripción en uno solo.',
      },
      news: {
        title: 'Mis noticias',
        summary: 'Las noticias de este enlace de suscripción en un solo canal.',
      },
    },
    kept: 'Eventos guardados',
    noSources:
      'Lo que se eligió para este enlace ya no está disponible. Abra la página del enlace y elija otros calendarios o noticias.',
    ownOnly:
      'Las inscripciones y las certificaciones por vencer de la persona a quien pertenece este enlace.',
    ownCategory: 'Lo mío',
  },
  board: (organization) => `${organization}: eventos y noticias.`,
  county: {
    calendar: 'Todos los departamentos',
    calendarSummary:
      'Los calendarios públicos de todos los departamentos en uno solo: los últimos 30 días y los próximos 180.',
    news: 'Noticias de todos los departamentos',
    newsSummary: 'Las últimas noticias de todos los departamentos, primero las más recientes.',
    source: (organization, link) => `${organization}: ${link('calendarios y noticias')}`,
  },
  contacts: {
    unnamed: (memberId) => `Miembro ${memberId}`,
    phones: {
      CELL: 'Celular',
      HOME: 'Casa',
      WORK: 'Trabajo',
      FAX: 'Fax',
      PAGER: 'Localizador',
      VOICE: 'Otro',
    },
    email: 'Otro',
    address: 'Casa',
  },
  link: {
    paused: {
      title: 'Este enlace de suscripción está en pausa',
      text: (organization) =>
        `La persona encargada del sitio web de ${organization} puso en pausa el enlace de esta suscripción, que por ahora no muestra nada. Conserve la suscripción: todo volverá automáticamente cuando se reactive el enlace.`,
      screen: (organization) =>
        `La persona encargada del sitio web de ${organization} puso en pausa el enlace de esta pantalla. Todo volverá automáticamente cuando se reactive el enlace.`,
    },
    revoked: {
      title: 'Este enlace de suscripción fue anulado',
      text: (organization, day) =>
        `El enlace de esta suscripción a ${organization} se anuló el ${day}, por lo que la suscripción ya no se actualiza. Pida un enlace nuevo a la persona encargada del sitio web, suscríbase con él y elimine esta suscripción.`,
      screen: (organization, day) =>
        `El enlace de esta pantalla se anuló el ${day}. Pida uno nuevo a la persona encargada del sitio web de ${organization} y configure esta pantalla con él.`,
    },
    expired: {
      title: 'Este enlace de suscripción venció',
      text: (organization, day) =>
        `El enlace de esta suscripción a ${organization} venció el ${day}, por lo que la suscripción ya no se actualiza. Pida un enlace nuevo a la persona encargada del sitio web, suscríbase con él y elimine esta suscripción.`,
      screen: (organization, day) =>
        `El enlace de esta pantalla venció el ${day}. Pida uno nuevo a la persona encargada del sitio web de ${organization} y configure esta pantalla con él.`,
    },
  },
  madePrivate: {
    title: 'Esta fuente ya no es pública',
    text: (organization, day) =>
      `${organization} hizo privada esta fuente el ${day}, por lo que la suscripción ya no se actualiza. Pida un enlace de suscripción a la persona encargada del sitio web, suscríbase con él y elimine esta suscripción.`,
  },
  options: {
    dedupe: {
      label: 'Eventos en varios calendarios',
      byDefault: 'aparecen una vez',
      others: { 0: 'aparecen una vez por calendario' },
    },
    prefix: {
      label: 'Títulos',
      byDefault: 'sin cambios',
      others: {
        1: 'comienzan con una palabra que indica el calendario',
        emoji: 'comienzan con un emoji que indica el calendario',
      },
    },
    within: {
      label: 'Vencimiento',
      byDefault: 'en cualquier momento (en lectores RSS: en los próximos 90 días)',
      others: {
        30: 'en los próximos 30 días',
        90: 'en los próximos 90 días',
        365: 'en el próximo año',
      },
    },
    certificationAlarm: {
      label: 'Recordatorios',
      thrice: '90, 30 y 7 días antes',
      twice: '90 y 30 días antes',
      month: '30 días antes',
      week: '7 días antes',
      none: 'ninguno',
    },
  },
}
