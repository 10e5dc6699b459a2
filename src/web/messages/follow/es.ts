import { pluralIn } from '../../../records/messages.ts'
import type { FollowMessages } from './en.ts'

const plural = pluralIn('es')

export const spanish: FollowMessages = {
  common: {
    allFeeds: 'Todas las opciones de suscripción',
    ourWebsite: 'Nuestro sitio web',
    calendarsAndNews: 'Calendarios y noticias',
    ofFeed: (title) => `(${title})`,
    titled: (title, text) => `${title}: ${text}`,
    copy: 'Copiar',
    copied: 'Copiado',
    save: 'Guardar',
    nothingPublic: (site) =>
      `No hay calendarios ni noticias para el público. Si usted pertenece a ${site}, pida un enlace privado a la persona encargada del sitio web.`,
    nothingNow: 'Por el momento no hay nada a lo que suscribirse. Vuelva más tarde.',
    isLocal:
      'Solo esta computadora puede abrir estas direcciones. Para Google, Outlook y los teléfonos, Feedhouse necesita una dirección pública (la opción PUBLIC_URL).',
    otherOrigin:
      'Este formulario se envió desde una página con otra dirección. Abra el formulario en esta dirección e inténtelo de nuevo.',
    noneChosen: 'Elija al menos un calendario.',
    noneChosenNews: 'Elija al menos un tipo de noticias.',
    withdrawn: 'Los calendarios elegidos ya no están disponibles. Elija otros.',
    withoutEntries: (id) => `Número ${id}, por ahora sin contenido`,
  },
  home: {
    titleWithCalendar: (site) => `${site}: calendario`,
    titleWithNews: (site) => `${site}: noticias`,
    description: (site) =>
      `Siga el calendario y las noticias de ${site} en su teléfono o computadora.`,
    privateLink: 'Enlace privado',
    freeDays: 'Alquiler de salones',
    forScreens: 'Para pantallas',
    forWebsite: 'Para su sitio web',
    isMissing: '¿Falta algo en su aplicación?',
    heading: 'Síganos en su calendario',
    headingForMember: 'Agréguelo a su calendario',
    introForMember: 'Sus turnos y todo lo que elija aquí. Se actualiza automáticamente.',
    introWithoutChoice: 'Se actualiza automáticamente.',
    introWithSaving: 'Elija lo que le interesa. Puede cambiarlo aquí cuando quiera.',
    intro: 'Elija lo que le interesa. Se actualiza automáticamente.',
    saved: 'Guardado. Sus aplicaciones mostrarán su selección la próxima vez que se actualicen.',
    whatToFollow: '¿Qué quiere seguir?',
    moreCalendars: (count, chosen) =>
      plural(count, {
        one: `${count} calendario más (seleccionados: ${chosen})`,
        other: `${count} calendarios más (seleccionados: ${chosen})`,
      }),
    updateButtons: 'Actualizar los botones',
    onYourPhone: 'En su teléfono',
    qrCode: 'Código QR que abre esta página en un teléfono',
    pointCamera: 'Apunte aquí con la cámara.',
    hello: (name) => `Hola, ${name}`,
    yourCalendar: 'Su calendario',
    yourNextShifts: 'Sus próximos turnos',
    noShifts: 'No tiene inscripciones en los próximos tres meses.',
    allYourEntries: 'Todos sus eventos',
    onDutyTonight: 'De guardia esta noche',
    canYouHelp: '¿Puede ayudar?',
    weeklyEmail: 'Recibir un correo semanal',
    next: 'Próximo',
    nextEvent: 'Próximo evento',
    comingUp: 'Próximamente',
    calendarIsLoading: 'El calendario se está cargando. Vuelva a cargar esta página en un minuto.',
    nothingPlanned:
      'Todavía no hay nada programado. Suscríbase ahora y los nuevos eventos aparecerán automáticamente.',
    wholeCalendar: 'Calendario completo',
    printMonth: (month) => `Imprimir ${month}`,
    announcements: 'Avisos',
    news: 'Noticias',
    followNews: 'Siga nuestras noticias',
    newsIsLoading:
      'Las últimas noticias se están cargando. Vuelva a cargar esta página en un minuto.',
    noNews:
      'Todavía no hay noticias. Suscríbase ahora y las nuevas noticias aparecerán automáticamente.',
    allNews: 'Todas las noticias',
    newsInReader: 'Leer nuestras noticias en un lector RSS',
    rssAddress: 'Dirección RSS',
    theRssAddress: 'la dirección RSS',
    isPrivate: 'Esta página es privada',
    isPrivateUntil: (day) => `Esta página es privada (vence: ${day})`,
    anyoneCanRead:
      'Cualquier persona que tenga la dirección de esta página puede leer este contenido. No la comparta.',
    appleUnencrypted:
      'Al suscribirse, el Calendario de Apple puede enviar la dirección una vez sin cifrar. Si no confía en la red, copie la dirección y agréguela a mano.',
    isPersonal:
      'Este enlace es para una sola persona. El calendario siempre incluye las inscripciones de esa persona y los días en que vencen sus certificaciones.',
    memberContacts: 'Teléfonos y direcciones de los miembros',
  },
  script: {
    saved: 'Guardado. Sus aplicaciones lo mostrarán la próxima vez que se actualicen.',
    notSaved: 'No se pudo guardar su selección. Oprima Guardar para intentarlo de nuevo.',
    buttonsUpdated: 'Los botones ahora agregan su selección.',
    copiedToSend: 'Copiado. Ahora puede enviárselo.',
    addressesUpdated: 'Se actualizaron las direcciones',
  },
  apps: {
    apps: 'Aplicaciones',
    otherApp: 'Otra aplicación',
    otherAppOrNone: 'Otra aplicación, o ninguna',
    openInChrome: 'Abrir en Chrome',
    openInSafari: 'Abrir en Safari',
    sendToComputer: 'Enviar a mi computadora',
    copyAddress: 'Copiar la dirección',
    copyBelow: 'Copie la dirección que aparece abajo.',
    pasteAndConfirm: 'Pegue la dirección y confirme.',
    copyAndOpenGoogle: 'Copiar y abrir el Calendario de Google',
    stepByStep: 'Paso a paso',
    nothingHappened: '¿No pasó nada? Copie esta dirección',
    addressOf: (app) => `Dirección del calendario (${app})`,
    theAddressOf: (app) => `la dirección (${app})`,
    apple: {
      name: 'iPhone, iPad, Mac',
      add: 'Agregar al Calendario de Apple',
      after:
        'Toque Suscribirse cuando su dispositivo se lo pida. Los cambios suelen llegar en unas horas.',
      steps: [
        'Abra esta página en Safari y oprima el botón otra vez, o copie la dirección que aparece abajo.',
        'iPhone, iPad: abra Configuración › Apps › Calendario › Cuentas de Calendario › Agregar cuenta › Otra › Agregar calendario suscrito. Mac: abra Calendario y elija Archivo › Nueva suscripción a calendario.',
      ],
    },
    google: {
      add: 'Agregar al Calendario de Google',
      onPhone:
        'La aplicación de Google para teléfonos no puede agregar calendarios. Agréguelo una vez en una computadora y aparecerá en su teléfono.',
      after:
        'Oprima “Agregar” cuando Google se lo pida. Google muestra los cambios en menos de un día.',
      afterCopying:
        'Pegue allí la dirección y oprima “Agregar calendario”. Google muestra los cambios en menos de un día.',
      steps: [
        'En una computadora, abra calendar.google.com y, junto a “Otros calendarios”, elija + › Desde URL.',
        'Pegue la dirección y oprima “Agregar calendario”. También aparecerá en su teléfono.',
      ],
    },
    outlook: {
      add: 'Agregar a Outlook.com',
      addToMicrosoft365: 'Trabajo o escuela (Microsoft 365)',
      after:
        'Si Outlook le pide que inicie sesión, hágalo y oprima el botón otra vez. Outlook muestra los cambios en menos de un día.',
      steps: [
        'En Outlook, abra el calendario y elija Agregar calendario › Suscribirse desde la web. En Outlook clásico: Archivo › Configuración de la cuenta › Calendarios de Internet › Nuevo.',
        'Pegue la dirección y oprima “Importar” o “Agregar”.',
      ],
    },
    android: {
      openIcsx5: '¿Sin computadora? Abrir en ICSx⁵',
      after:
        'Los teléfonos Android no pueden agregar calendarios por sí solos. Agréguelo una vez en una computadora y aparecerá en su teléfono en menos de un día. ¿No tiene computadora? Use ICSx⁵, una aplicación gratuita.',
      send: 'Envíese esta página o copie la dirección que aparece abajo.',
      add: 'En una computadora, abra la página y oprima “Agregar al Calendario de Google”.',
      addByCopying:
        'En una computadora, abra la página, oprima “Copiar y abrir el Calendario de Google” y pegue la dirección.',
      turnOn: 'En su teléfono, abra el menú del Calendario de Google y active el calendario.',
    },
    other: {
      name: 'Otras aplicaciones',
      short: 'Otras',
      inApp:
        'El navegador de esta aplicación no puede agregar calendarios. Abra esta página en su propio navegador: oprima el botón de arriba o busque en el menú ⋯ o ⋮.',
      after:
        'Para Thunderbird, Proton, Fastmail, Nextcloud y otras. Según la aplicación, los cambios tardan entre una hora y una semana en aparecer.',
      look: 'En su aplicación, busque “Suscribirse”, “Desde URL” o “Nuevo calendario en la red”.',
    },
  },
  feeds: {
    title: (site) => `${site}: todas las opciones de suscripción`,
    description:
      'Siga nuestros eventos y noticias: en su calendario, en un lector RSS o en esta página.',
    intro: (home) =>
      `Todos los calendarios y canales de noticias, con sus formatos y opciones. La manera más rápida de suscribirse es la ${home('página principal')}.`,
    isPrivate:
      'Esta página es privada: cualquier persona que tenga su dirección puede leer este contenido. No la comparta. Para Google, pegue la dirección copiada. Si se suscribe con un solo toque, Apple puede enviar la dirección una vez sin cifrar; si no confía en la red, es mejor copiar la dirección.',
    everythingForReaders: 'Todo en uno, para lectores RSS.',
    upcoming: 'Próximamente',
    latest: 'Lo más reciente',
    includes: (chosen) => `Estos botones y direcciones incluyen: ${chosen}.`,
    reset: 'Restablecer',
    appleOrDevice: 'Apple o este dispositivo',
    googleCalendar: 'Calendario de Google',
    calendarAddress: 'Dirección del calendario',
    forReaders: (format) => `Dirección ${format} para su lector`,
    formatOf: (format, title) => `${format} (${title})`,
    download: 'Descargar una copia',
    willNotUpdate: '(no se actualizará)',
    qrCode: 'Código QR',
    qrCodeOf: (title) => `Código QR que abre ${title} en un teléfono`,
    pointCamera: 'Escanéelo con la cámara del teléfono para suscribirse allí.',
    options: 'Opciones',
    onlyThese: 'Mostrar solo',
    updateAddresses: 'Actualizar las direcciones',
    parts: 'Partes',
    lastChanged: (moment) => `Último cambio: ${moment}`,
    chosenOption: (option, value) => `${option}: ${value}`,
    tooLong: (characters) =>
      `La dirección tendría más de ${characters} caracteres, y algunos calendarios no la aceptarían. Elija menos opciones.`,
    unknownChoice: (value) => `Opción desconocida: ${value}.`,
    members: 'Miembros',
    membersAbout:
      'Teléfonos, correos electrónicos y direcciones postales de todos los miembros, para libretas de direcciones.',
    membersOneByOne: 'Todos los miembros, uno por uno, para teléfonos',
    combinedForReaders: (formats) => `Para lectores RSS: ${formats}.`,
    poster: 'Cartel para imprimir',
    setUpScreen: 'Configurar una pantalla',
    opml: 'Todos los canales de noticias para un lector RSS (OPML)',
  },
  matches: {
    entries: (count, isMore) =>
      count === 0
        ? 'Por ahora no coincide ningún evento próximo. En cuanto haya alguno que coincida, aparecerá.'
        : `Por ahora ${plural(count, { one: 'coincide', other: 'coinciden' })} ${isMore ? 'al menos ' : ''}${plural(count, { one: '1 evento próximo', other: `${count} eventos próximos` })}.`,
    items: (count, isMore) =>
      count === 0
        ? 'Por ahora no coincide ninguna publicación. En cuanto haya alguna que coincida, aparecerá.'
        : `Por ahora ${plural(count, { one: 'coincide', other: 'coinciden' })} ${isMore ? 'al menos ' : ''}${plural(count, { one: '1 publicación', other: `${count} publicaciones` })}.`,
    show: 'Ver resultados',
  },
  howSoon: {
    title: 'Cuándo aparecen los cambios',
    about:
      'Los cambios del sitio web aparecen aquí en pocos minutos. Cada aplicación decide con qué frecuencia los busca.',
    app: 'Calendario o lector',
    checks: 'Busca cambios',
    rows: [
      [
        'Calendario de Apple',
        'desde cada 15 minutos hasta una vez por semana, según la configuración: en el iPhone, en Configuración › Apps › Calendario › Cuentas de Calendario, en la opción para obtener datos nuevos; en la Mac, en la configuración de cada calendario (actualización automática)',
      ],
      [
        'Calendario de Google',
        'cada 8 a 24 horas; esto no se puede cambiar. Agregue los calendarios en una computadora; la aplicación para teléfonos no puede hacerlo',
      ],
      ['Outlook.com, Microsoft 365', 'más o menos cada 3 horas, a veces una vez al día'],
      ['Outlook para Windows', 'al abrirlo y después cada 1 a 3 horas'],
      ['Thunderbird', 'según la configuración de cada calendario'],
      [
        'Android',
        'según la configuración de una aplicación para suscribirse a calendarios, como ICSx⁵',
      ],
    ],
    readers: ['Lectores RSS', 'normalmente cada 15 a 60 minutos'],
  },
  choice: {
    title: 'Todo en uno',
    about:
      'Una sola dirección con todo lo que elija abajo. Puede cambiar su selección más adelante: la dirección en su teléfono sigue siendo la misma.',
    isPersonal:
      'Este enlace es para una sola persona. “Mi calendario” siempre muestra también las inscripciones de esa persona y cuándo vencen sus certificaciones, sin importar lo que elija.',
    saved:
      'Se guardó su selección. Sus aplicaciones la mostrarán la próxima vez que busquen cambios.',
    isEmpty: (title) =>
      `${title}: no hay nada que mostrar, porque lo seleccionado ya no está disponible. Elija otra cosa abajo.`,
    calendar: 'Mi calendario',
    news: 'Mis noticias',
    newsForReaders: 'Mis noticias, para lectores RSS',
    theAddressOf: (label) => `la dirección (${label})`,
    chooseContent: 'Elija el contenido',
    optional: '(opcional)',
    isShared:
      'Su selección se guarda para este enlace, así que se aplica a todas las personas que lo usan.',
    reminderFor: (title) => `Recordatorio para ${title}`,
    sameAsAbove: 'el mismo de arriba',
    noReminder: 'ninguno',
  },
  website: {
    title: 'Para su sitio web',
    about:
      'Los eventos y las noticias pueden formar parte de las páginas de la organización, donde se mantienen al día.',
    updateCode: 'Actualizar el código',
    preview: 'Vista previa',
    theCode: (label) => `(${label})`,
    show: 'Mostrar',
    layout: 'Diseño',
    layouts: { list: 'Lista', cards: 'Tarjetas', month: 'Mes (solo calendarios)' },
    colors: 'Colores',
    themes: {
      auto: 'Como su página',
      light: 'Claros',
      dark: 'Oscuros',
      device: 'Según el dispositivo del visitante',
    },
    html: 'Código para WordPress, Squarespace y HTML',
    htmlHelp:
      'HTML: péguelo en la página. WordPress: agregue un bloque “HTML personalizado” y péguelo allí. Solo los administradores y editores pueden guardarlo. Squarespace: agregue un bloque de código y péguelo allí, sin mostrar el código fuente.',
    url: 'Dirección para Google Sites',
    urlHelp:
      'Google Sites: elija Insertar › Incorporar › Por URL y péguela allí. Después, arrastre el marco hasta la altura que necesite.',
    frame: 'Marco para otros creadores de sitios',
    frameHelp:
      'Péguelo donde el creador de sitios acepte HTML o código para insertar, por ejemplo en Wix.',
  },
  account: {
    link: 'Agregar como cuenta de calendario',
    title: (site: string) => `Cuenta de calendario – ${site}`,
    heading: 'Una cuenta para todos los calendarios',
    about:
      'La aplicación muestra cada calendario con su propio color, agrega los nuevos por sí sola y busca cambios con más frecuencia. Los calendarios son de solo lectura.',
    aboutContacts: 'Los datos de contacto de los miembros también se mantienen al día.',
    instead: 'Use la cuenta en lugar de suscribirse. Si hace ambas cosas, todo aparece dos veces.',
    apple: {
      name: 'iPhone, iPad y Mac',
      add: 'Descargar el perfil',
      open: 'En un iPhone o iPad, abra Configuración y toque “Perfil descargado”. En una Mac, abra el archivo descargado y después Configuración del Sistema › General › Administración de dispositivos.',
      installSigned:
        'Instale el perfil. Solo contiene esta cuenta, y el dispositivo muestra quién lo firmó.',
      installUnsigned:
        'Instale el perfil. El dispositivo avisa que no está firmado. El perfil solo contiene esta cuenta.',
    },
    android: {
      add: 'Abrir en DAVx⁵',
      steps: [
        'Instale DAVx⁵ desde Google Play o F-Droid.',
        'Vuelva aquí y toque el botón de arriba, o escriba los datos de abajo.',
        'Elija los calendarios que quiera.',
      ],
    },
    other: {
      name: 'Thunderbird, Evolution y otras',
      steps: [
        'Agregue un calendario “en la red” o una cuenta CalDAV.',
        'Copie estos datos en los campos.',
        'Elija los calendarios que quiera.',
      ],
    },
    server: 'Dirección del servidor',
    user: 'Nombre de usuario',
    password: 'Contraseña',
    isSecret:
      'Quien tenga esta contraseña puede leer todo lo que muestra este enlace. No la comparta.',
  },
  members: {
    title: (site) => `Miembros – ${site}`,
    heading: 'Miembros',
    isPrivate:
      'Esta página es privada: cualquier persona que tenga su dirección puede leer estos teléfonos y direcciones. No la comparta.',
    saveEveryone: 'Guardar a todos en una libreta de direcciones',
    oneByOne:
      'En un teléfono, agregue los contactos uno por uno: muchos navegadores de teléfono leen solo el primer contacto de un archivo. En una computadora, impórtelos todos a la vez:',
    addressBook: 'Libreta de direcciones (vCard)',
    spreadsheet: 'Hoja de cálculo (CSV)',
    spreadsheetForGoogle: 'Hoja de cálculo (CSV), también para Contactos de Google',
    noUpdates:
      'Una libreta de direcciones no recibe los cambios posteriores. Si vuelve a importar, puede haber duplicados; borre primero los contactos anteriores.',
    phones: {
      CELL: ' (celular)',
      HOME: ' (casa)',
      WORK: ' (trabajo)',
      FAX: ' (fax)',
      PAGER: ' (localizador)',
      VOICE: '',
    },
    email: 'Correo electrónico',
    emailTo: (name) => `para ${name}`,
    addToContacts: 'Agregar a los contactos',
    noMembers: 'El sitio web no muestra a ningún miembro.',
  },
}
