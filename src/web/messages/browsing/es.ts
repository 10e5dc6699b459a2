import { pluralIn } from '../../../records/messages.ts'
import type { BrowsingMessages } from './en.ts'

const plural = pluralIn('es')

export const spanish: BrowsingMessages = {
  site: {
    mainNavigation: 'Principal',
    privatePage: 'Página privada',
    homeOf: (name) => `Calendarios y noticias de ${name}`,
    calendarFormat: 'calendario',
    followCalendars: 'Seguir estos calendarios',
  },
  entries: {
    filters: 'Mostrar y ocultar',
    all: 'Todo',
    onlyMine: 'Solo lo mío',
    isShown: ' (visible)',
    isHidden: ' (oculto)',
    days: 'Días',
    months: 'Meses',
    list: 'Lista',
    today: 'Hoy',
    thisWeek: 'Esta semana',
    laterIn: (month) => `Más adelante en ${month}`,
    earlier: 'Anteriores',
    later: 'Siguientes',
    searchLabel: 'Buscar eventos',
    searchHint: 'Buscar eventos',
    search: 'Buscar',
    matching: (count, shown, filter) =>
      `${plural(count, { one: '1 evento coincide', other: `${shown} eventos coinciden` })} con “${filter}”.`,
    showAll: 'Mostrar todo',
    followMatching: 'Seguir esta selección',
    comingUp: 'Próximamente',
    alsoComingUp: 'Otros próximos eventos',
    alsoRunning: 'También en curso',
    latest: 'Lo más reciente',
    you: (role) => `Usted: ${role}`,
    full: 'cupo completo',
    open: (open) => plural(open, { one: '1 libre', other: `${open} libres` }),
    placesOpen: (open, places) =>
      plural(places, {
        one: `${open} de 1 puesto libre`,
        other: `${open} de ${places} puestos libres`,
      }),
  },
  certifications: {
    about: 'Solo quienes tienen este enlace pueden ver esta página.',
    expired: 'Vencidas',
    within: (days) => `En los próximos ${days} días`,
    none: 'Ninguna',
  },
  agenda: {
    roster: {
      title: 'Guardias e inscripciones',
      duty: 'De guardia',
      noShifts: 'No hay guardias en estos días.',
      noSheets: 'No hay inscripciones en estos días.',
    },
    title: 'Calendario',
    description: (name) => `Próximos eventos de ${name}.`,
    nothingYet: (follow) =>
      `Todavía no hay nada programado. ${follow('Suscríbase ahora')} y los eventos nuevos aparecerán automáticamente.`,
    nothing: (follow) =>
      `No hay nada programado para estos días. ${follow('Suscríbase ahora')} y los eventos nuevos aparecerán automáticamente.`,
  },
  month: {
    title: 'Mes',
    description: (month, name) => `Eventos de ${name} en ${month}, para leer e imprimir.`,
    days: 'Días',
    earlier: 'Días anteriores',
    thisMonth: 'Este mes',
    print: 'Imprimir',
    isToday: ' (hoy)',
    more: (_count, shown) => `${shown} más`,
    nothing: (follow) =>
      `No hay nada programado este mes. ${follow('Suscríbase ahora')} y los eventos nuevos aparecerán automáticamente.`,
  },
  freeDays: {
    title: 'Alquiler de salones: fechas disponibles',
    description: (name) =>
      `Fechas en que se pueden alquilar los salones de ${name} en los próximos 12 meses.`,
    explanation:
      'Fechas disponibles y ocupadas en los próximos 12 meses. La fecha queda reservada cuando confirmamos su solicitud.',
    request: 'Solicitar una fecha en el sitio web',
    halls: 'Salones y salas',
    uses: { free: 'disponible', partly: 'ocupado en parte', taken: 'ocupado' },
    saturdays: (days) => `Próximos sábados disponibles: ${days.join(', ')}.`,
    unread:
      'No se pudieron leer algunas reservas, así que una fecha que parece disponible puede estar ocupada. Consúltenos antes de hacer planes.',
    distantEnd: (days) =>
      `En nuestro sitio web, una reserva que empieza en esta fecha termina un año o más después: ${days.join(', ')}. Aquí solo cuenta su primer día. Consúltenos sobre las fechas posteriores.`,
  },
  event: {
    isOver: 'Este evento ya terminó.',
    isTentative: 'Aún sin confirmar. La hora y el lugar pueden cambiar.',
    changed: (day) => `Último cambio: ${day}`,
    when: 'Cuándo',
    where: 'Dónde',
    map: 'Ver en un mapa',
    signUp: 'Inscripción',
    full: 'Cupo completo',
    seeSheet: 'Ver la lista en el sitio web',
    signUpOnWebsite: 'Inscribirse en el sitio web',
    places: 'Puestos',
    placesTaken: (taken, places) =>
      plural(places, {
        one: `${taken} de 1 puesto ocupado`,
        other: `${taken} de ${places} puestos ocupados`,
      }),
    contact: 'Contacto',
    add: {
      title: 'Agregar a su calendario',
      file: 'Agregar este evento',
      google: 'Agregar al Calendario de Google',
      googleName: 'Calendario de Google',
      explanation: (follow) =>
        `Así se agrega una copia, que no cambia si el evento se reprograma. ${follow('Siga el calendario')} para estar al día. Si ya lo sigue, ya tiene este evento.`,
    },
  },
  kept: {
    title: 'Mantenerlo al día',
    explanation: 'Añade un calendario solo con los eventos que guarde aquí, con todos los cambios.',
    save: 'Guardar este evento',
    saved: 'Eventos guardados ({n})',
    full: (most) => `Ya guardó ${most} eventos, que es el máximo. Quite uno primero.`,
  },
  share: {
    title: 'Compartir',
    share: 'Compartir…',
    copy: 'Copiar la dirección',
    copied: 'Copiada',
    copyByHand: 'Copie la dirección que aparece en la parte superior de la ventana.',
    email: 'Correo electrónico',
    message: 'Mensaje de texto',
    flyer: 'Volante para imprimir',
    picture: 'Guardar como imagen',
    flyerUse:
      'Para el mostrador, el tablón o las redes sociales. Ocupa una página de papel Carta o A4.',
  },
  news: {
    description: (title, name) => `${title} de ${name}, por categoría y mes.`,
    kinds: 'Tipos de documentos',
    categories: 'Categorías',
    searchLabel: 'Palabras de búsqueda',
    searchHint: 'Buscar',
    search: 'Buscar',
    foundStories: (count, shown, { month, search }) =>
      `${plural(count, { one: '1 noticia', other: `${shown} noticias` })}${foundWhere(month, search)}.`,
    foundDocuments: (count, shown, { month, search }) =>
      `${plural(count, { one: '1 documento', other: `${shown} documentos` })}${foundWhere(month, search)}.`,
    showAll: 'Mostrar todo',
    followSearch: 'Seguir esta búsqueda (RSS)',
    noStories: (follow) =>
      `Todavía no hay noticias. ${follow('Suscríbase ahora')} y las nuevas aparecerán automáticamente.`,
    noDocuments: (follow) =>
      `Todavía no hay documentos. ${follow('Suscríbase ahora')} y los documentos nuevos aparecerán automáticamente.`,
    pages: 'Páginas',
    newer: 'Más recientes',
    older: 'Anteriores',
    newerStory: 'Más reciente',
    olderStory: 'Anterior',
    archive: 'Archivo',
    allMonths: 'Todos los meses',
    feedReader: 'Seguir en un lector RSS',
    stories: 'Noticias',
    moreIn: (category) => `Más en ${category}`,
    allOf: (title) => `Ver todo: ${title}`,
  },
  search: {
    title: 'Buscar',
    hint: 'Eventos, noticias, documentos…',
    explanation:
      'Muestra todo lo que contenga todas las palabras. Escriba las frases entre "comillas" y ponga un signo menos delante de las palabras que quiera excluir.',
    found: (count, shown, search) =>
      `${plural(count, { one: '1 resultado', other: `${shown} resultados` })} para “${search}”.`,
    nothing: (search) =>
      `No hay resultados para “${search}”. Revise la ortografía o pruebe con menos palabras o solo con el comienzo de una palabra.`,
    shown: (shown, count) => `Se muestran ${shown} de ${count}.`,
    allIn: (title) => `Todo en “${title}”`,
    inCalendar: 'Todo en el calendario',
    follow: 'Seguir esta búsqueda en su calendario',
    otherApps: 'Otras aplicaciones',
  },
  county: {
    departmentCount: (count) => (count === 1 ? '1 departamento' : `${count} departamentos`),
    description: (departments) => `Calendarios y noticias de ${departments}.`,
    none: 'Todavía no hay ningún departamento en la lista.',
    heading: 'Siga a todos los departamentos en su calendario',
    feedReaders: 'Para lectores de noticias:',
    nothingYet: 'Todavía no hay nada programado.',
    news: 'Noticias',
    departments: 'Departamentos',
    website: 'Sitio web',
    websiteOf: (name) => `de ${name}`,
  },
  gone: {
    title: 'No está en el sitio web',
    heading: 'Esto ya no está en el sitio web',
    explanation: (feed) =>
      `El sitio web ya no muestra esta entrada de “${feed}”: terminó, se eliminó o no es pública.`,
    isRemoved: 'El sitio web ya no lo muestra.',
  },
  poster: {
    title: 'Cartel',
    description: (name) => `Un cartel para imprimir que invita a seguir a ${name}.`,
    explanation:
      'Para el mostrador, el tablero de anuncios o la puerta de un camión. Ocupa una página de papel carta o A4. Al imprimir, elija “Gráficos de fondo” para que aparezca el color.',
    print: 'Imprimir el cartel',
    label: 'Cartel para imprimir',
    qrCode: (address) => `Código QR de ${address}`,
    forCalendar: {
      heading: 'Síganos en su calendario',
      tap: 'Toque el botón de su calendario',
    },
    forFeedReader: {
      heading: 'Síganos en su lector RSS',
      tap: 'Toque el botón de su lector RSS',
    },
    scan: 'Apunte la cámara del teléfono al código',
    updates: 'Los eventos nuevos aparecen automáticamente',
  },
  embed: {
    noEntries: 'No hay próximos eventos.',
    noNews: 'Todavía no hay noticias.',
    follow: 'Seguir',
    nextOfAll: 'Todos los calendarios: próximo evento',
    monthOfAll: 'Todos los calendarios: mes',
  },
  errors: {
    notFound: 'Página no encontrada.',
    invalid: 'La solicitud no es válida.',
    failed: (id) => `Algo salió mal. El error quedó registrado como ${id}.`,
    isBusy: 'El servidor está ocupado. Inténtelo de nuevo en unos momentos.',
    picturesBusy: 'Se están cargando demasiadas imágenes. Inténtelo de nuevo en unos momentos.',
    drawsNoPictures:
      'Este servidor no puede dibujar imágenes, porque la biblioteca sharp no es compatible con su plataforma.',
    unread: 'Todavía no se ha leído el sitio web. Inténtelo de nuevo en unos momentos.',
    isSwitchedOff:
      'Este contenido no está disponible por ahora. Conserve su suscripción: volverá automáticamente en cuanto el sitio web lo ofrezca de nuevo.',
    isStoreFull:
      'No se puede guardar, porque el disco o la base de datos de Feedhouse está lleno. Libere espacio, regrese e inténtelo de nuevo.',
    storeFailed:
      'Por ahora no se puede acceder a los datos guardados. Inténtelo de nuevo en unos momentos.',
    unknownLink: 'Enlace desconocido. Pida uno nuevo a la persona que se lo dio.',
    linksNotLoaded: 'Los enlaces aún se están cargando. Inténtelo de nuevo en unos momentos.',
    isClosed: 'Este enlace ya no está activo, así que no se guardó nada.',
    forms: {
      expired: 'Su sesión terminó. Vuelva a cargar la página de administración.',
      otherAddress: 'Este formulario se envió desde una página con otra dirección.',
      otherAddressThan: (url, setting) =>
        `Este formulario se envió desde una página con otra dirección. Abra la página en ${url} o corrija ${setting}.`,
      otherHost: (setting) =>
        `La página de administración no está disponible con este nombre de servidor. Ponga en ${setting} la dirección de Feedhouse o abra la página con la dirección IP.`,
      unreadable: 'No se puede leer el formulario. Inténtelo de nuevo.',
      tooManyFields: (max) => `El formulario tiene más de ${max} campos.`,
      tooLong: (kibibytes) =>
        `El texto es demasiado largo. Use ${kibibytes} KiB como máximo; divida una lista larga en varias.`,
    },
    tooMany: {
      'too many variants':
        'Se hicieron demasiadas solicitudes distintas en poco tiempo. Inténtelo de nuevo en unos momentos.',
      'too many guesses':
        'Se solicitaron demasiadas direcciones desconocidas. Inténtelo de nuevo más tarde.',
      'too many saves':
        'Su selección se guardó demasiadas veces en poco tiempo. Inténtelo de nuevo en unos momentos.',
      'too many sign-ins': 'Demasiadas contraseñas incorrectas. Inténtelo de nuevo en un minuto.',
      'too many account requests':
        'Las aplicaciones de calendario enviaron demasiadas solicitudes con este enlace. Inténtelo de nuevo en unos momentos.',
    },
    isNotIncluded: (feed) =>
      feed === undefined
        ? 'Este enlace no incluye este contenido. Pida otro a la persona encargada del sitio web.'
        : `Este enlace no incluye “${feed}”. Pida otro a la persona encargada del sitio web.`,
    isNotPublic: (feed) =>
      `${feed === undefined ? 'Este contenido' : `El contenido de “${feed}”`} no es público. Si tiene un enlace privado, búsquelo en la página de ese enlace. Si no, pida uno a la persona encargada del sitio web.`,
  },
}

function foundWhere(month: string | undefined, search: string): string {
  const from = month === undefined ? '' : ` de ${month}`
  return search === '' ? from : `${from} con “${search}”`
}
