import { endedWithPeriod, pluralIn } from '../../../../records/messages.ts'
import type { StatusMessages } from './en.ts'

const plural = pluralIn('es')

export const spanish: StatusMessages = {
  title: 'Estado',
  states: {
    starting: 'Estado: iniciando',
    good: 'Estado: todo está bien',
    bad: 'Estado: hay algo que atender',
  },
  sentences: {
    starting: () =>
      'Feedhouse está leyendo el sitio web por primera vez; puede tardar unos minutos.',
    ok: () => 'El contenido se leyó y está al día.',
  },
  checkAddress: 'Verificar si las aplicaciones pueden leer el contenido',
  records: {
    title: 'Datos del sitio web',
    titles: {
      members: 'Miembros',
      'members/contacts': 'Datos de contacto de los miembros',
      training: 'Certificaciones',
    },
    states: {
      held: 'Retenido',
      heldOnRequest: 'Retenido a petición',
      refused: 'Sin permiso del API Project',
      switchedOff: 'Sin permiso del API Project: desactivado',
      failing: 'No se puede leer',
      waiting: 'En espera',
      good: 'Al día',
    },
    none: 'Sin registros',
    count: (count, shown) => plural(count, { one: '1 registro', other: `${shown} registros` }),
    read: 'Lectura:',
    changed: 'Último cambio:',
    never: 'nunca',
    isHeld: (count) =>
      plural(count, {
        one: 'Ahora el sitio web tiene solo 1 de estos registros; la última copia correcta sigue publicada.',
        other: `Ahora el sitio web tiene solo ${count} de estos registros; la última copia correcta sigue publicada.`,
      }),
    accept: 'Aceptar',
    acceptWhat: (name) => `los datos del sitio web (${name})`,
    aboutAccepting: (published, count) =>
      `Esto reemplaza los registros publicados (${published}) por los actuales (${count}). Hágalo solo si los registros que faltan realmente se eliminaron del sitio web.`,
    acceptRecords: 'Aceptar los datos del sitio web',
    hold: 'Seguir reteniendo',
    aboutHolding: (published) =>
      `Los registros publicados (${published}) se conservan hasta que vuelvan a estar en el sitio web o usted acepte la pérdida. Hágalo si los registros no deberían faltar en el sitio web.`,
    notDecided: {
      'not held': (resource) => `Los datos ${resource} ya no están retenidos; no se cambió nada.`,
      'changed meanwhile': (resource) =>
        `Los datos ${resource} del sitio web cambiaron después de que usted abrió esta página; no se aceptó nada. Revise los números nuevos y decida.`,
      contended: (resource) =>
        `Feedhouse estaba guardando los datos ${resource} al mismo tiempo; no se cambió nada. Inténtelo de nuevo.`,
    },
  },
  charts: {
    none: 'ninguno',
    atMost: (most) => `${most} como máximo`,
    described: (most, unit) => `Máximo: ${most} (${unit}). La tabla tiene todos los números.`,
    units: {
      changes: 'cambios',
      calls: 'llamadas a la API',
      readers: 'lectores',
      apps: 'aplicaciones',
      minutes: 'minutos',
    },
    asTable: 'Como tabla',
    day: 'Día',
    hour: 'Hora',
    number: 'Número',
    apps: 'Aplicaciones',
    line: (limit) => `Línea: ${limit}.`,
    changes: 'Cambios de eventos en cada uno de los últimos 30 días',
    calls: 'Llamadas en cada una de las últimas 24 horas',
    callLimit: (calls) =>
      plural(calls, {
        one: 'más de 1 llamada por hora, durante todo el día, agotaría el límite diario',
        other: `más de ${calls} llamadas por hora, durante todo el día, agotarían el límite diario`,
      }),
    publicReaders: 'Lectores del contenido público en cada uno de los últimos 30 días',
    readers: 'Aplicaciones que leyeron un enlace de suscripción en cada uno de los últimos 30 días',
    ages: {
      caption: 'Antigüedad de los datos en cada una de las últimas 24 horas',
      described: (title, minutes) =>
        `${title}: antigüedad máxima de ${minutes}. La tabla tiene todos los números.`,
      minutes: (count, shown) =>
        plural(count, { one: `${shown} minuto`, other: `${shown} minutos` }),
      line: 'con qué frecuencia Feedhouse lee los datos',
      tableOf: 'antigüedad de los datos',
      column: 'Minutos',
    },
  },
  calls: {
    title: 'Llamadas a la API del sitio web',
    minute: (used, max) => `${used} de ${max} en el último minuto`,
    day: (used, max) => `${used} de ${max} en las últimas 24 horas`,
    meters: { minute: 'Llamadas en el último minuto', day: 'Llamadas en las últimas 24 horas' },
    token: (time) => `El token de acceso es válido hasta el ${time} y se renueva automáticamente.`,
    noToken: 'El token de acceso todavía no está disponible.',
    notRenewed: 'El último intento de renovarlo falló.',
    refreshToken: 'El token de actualización (refresh token) es válido durante un año.',
    firstUsed: (day) => endedWithPeriod(`Feedhouse lo usó por primera vez el ${day}`),
    created: (day) => endedWithPeriod(`Se creó el ${day}`),
    enterDate: 'Indicar su fecha',
    date: 'Día en que el token de actualización se creó o se regeneró por última vez',
    saveDate: 'Guardar la fecha',
    dateFault:
      'Indique el día en que el token de actualización se creó o se regeneró por última vez, hace un año como máximo.',
  },
  publicReaders: {
    title: 'Lectores del contenido público',
    about:
      'Quien lee dos contenidos cuenta dos veces, y las personas con la misma aplicación y dirección cuentan una vez. Feedly, Inoreader y servicios parecidos informan cuántas personas leen allí un contenido, y Feedhouse no puede comprobar esos números. Feedhouse guarda solo estos números. A medianoche (UTC) olvida quién leyó un contenido.',
    reported: (service) => `${service} (según el propio servicio)`,
    families: {
      'Android calendar': 'calendario de Android',
      'feed reader': 'lector RSS',
      'other calendar': 'otro calendario',
      screen: 'pantalla',
      browser: 'navegador',
      other: 'otros',
    },
  },
  readers: {
    title: 'Lectores de los enlaces de suscripción',
    about: 'Una aplicación que lee dos enlaces cuenta dos veces. Los días corresponden a UTC.',
  },
  followers: {
    title: 'Seguidores',
    mail: (count) => `Por correo electrónico: ${count}`,
    push: (count) => `Con notificaciones en un dispositivo: ${count}`,
    rejected: (count) => `Rechazados por su servidor de correo: ${count}`,
    waiting: (count) => `Mensajes en espera de enviarse: ${count}`,
    find: 'Buscar o eliminar una dirección',
  },
  messages: {
    title: 'Alertas y webhooks',
    none: 'Feedhouse no envía alertas. Para recibirlas, configure ALERT_MAIL o ALERT_WEBHOOK.',
    tested: 'Se envió el mensaje de prueba. Los resultados están abajo.',
    purposes: { alerts: 'alertas', changes: 'cambios' },
    states: { failing: 'Con fallas', working: 'Funciona', unused: 'Todavía sin usar' },
    lastSuccess: 'Último éxito:',
    failed: (time) => `Falló el ${time}:`,
    test: 'Enviar un mensaje de prueba',
  },
  address: {
    title: 'Dirección',
    heading: '¿Pueden las aplicaciones leer el contenido?',
    about: (url) =>
      `Verifica el contenido público en ${url} como lo usan los teléfonos y los servicios de calendario.`,
    noFeeds:
      'No hay contenido público disponible. Abra la página de un enlace de suscripción y verifique allí la dirección.',
  },
}
