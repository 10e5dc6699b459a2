import { endedWithPeriod, listIn, pluralIn } from '../../../../records/messages.ts'
import type { PagesMessages } from './en.ts'

const plural = pluralIn('es')
const list = listIn('es')

const members = (count: number, one: string, others: string) =>
  plural(count, { one, other: `${count} miembros ${others}` })

export const spanish: PagesMessages = {
  screens: {
    title: 'Pantallas',
    emergency: 'Texto de emergencia',
    about:
      'Termina automáticamente a la hora que elija, incluso en las pantallas que para entonces no tengan conexión.',
    done: {
      shown: 'El texto aparece en menos de un minuto.',
      tested: (minutes) =>
        `La prueba aparece en menos de un minuto y termina después de ${minutes} minutos.`,
      kept: 'La prueba ha terminado. Este texto se publicó entretanto y no se ha quitado.',
      cleared: 'El texto desaparece en menos de un minuto.',
    },
    publicScreens: 'las pantallas con contenido público',
    testedOn: (screen) => `Prueba en ${screen}:`,
    shownOn: (places) => `Se muestra en ${list(places).toLowerCase()}:`,
    textUntil: (title, end) => endedWithPeriod(`“${title}” hasta el ${end}`),
    clear: 'Quitar el texto de emergencia',
    clearTest: 'Terminar la prueba',
    fields: {
      title: 'Título',
      text: 'Texto',
      until: (timeZone) => `Hasta cuándo, en la zona horaria del sitio web (${timeZone})`,
    },
    preview: 'Vista previa de una pantalla',
    where: 'Dónde',
    places: { screens: 'Pantallas', devices: 'Teléfonos y correo', pages: 'Páginas' },
    aboutPlaces: {
      screens: 'Reemplaza todo en todas las pantallas en menos de un minuto.',
      pages:
        'En la parte superior de todas las páginas, de los próximos correos y, en menos de cinco minutos, de las listas insertadas.',
    },
    devices: (count, shown) =>
      plural(count, { one: `${shown} dispositivo`, other: `${shown} dispositivos` }),
    followers: (count, shown) =>
      plural(count, { one: `${shown} seguidor`, other: `${shown} seguidores` }),
    reached: (devices, followers) =>
      `Una notificación a ${devices} y un correo a ${followers} que pidieron avisos de emergencia. No se pueden retirar.`,
    reachedAgain: (devices, followers) =>
      `Una notificación a ${devices} y un correo a ${followers} que pidieron avisos de emergencia, y otra vez si reemplaza el texto. No se pueden retirar.`,
    show: 'Mostrar el texto de emergencia',
    replace: 'Reemplazar el texto de emergencia',
    test: 'Prueba',
    onlyOn: 'Solo en',
    allPublicScreens: 'Las pantallas con contenido público',
    startTest: (minutes) => `Probar durante ${minutes} minutos`,
    new: {
      title: 'Nueva pantalla',
      about:
        'Una pantalla es cualquier navegador en la estación, por ejemplo en un televisor, una tableta o un reproductor. Muestra los eventos de hoy y de los próximos días, y las noticias.',
      public: 'Con contenido público',
      private: 'Con contenido privado: crear un enlace',
      later: (path) =>
        `Después de crear el enlace, elija “Configurar una pantalla”. Más adelante, abra la dirección del enlace con ${path} al final.`,
    },
    faults: {
      noTitle: 'Escriba un título.',
      titleTooLong: (max) => `El título debe tener ${max} caracteres como máximo.`,
      textTooLong: (max) => `El texto debe tener ${max} caracteres como máximo.`,
      noEnd: 'Indique la fecha y la hora en que termina el texto.',
      past: 'El final debe estar en el futuro.',
      tooLate: (days) => `El final debe estar dentro de los próximos ${days} días.`,
      nowhere: 'Elija dónde mostrar el texto.',
      notCleared: 'Quite el texto de emergencia antes de hacer la prueba.',
    },
  },
  preview: {
    title: 'Vista previa',
    heading: (profile) => `Vista previa: ${profile}`,
    profiles: 'Perfiles',
    highlighted: 'Resaltado',
    notPublic: (profile) =>
      `lo que muestran los enlaces con el perfil ${profile} y el público no ve.`,
    notWith: (profile, lower) =>
      `lo que muestran los enlaces con el perfil ${profile}, pero no los enlaces con ${lower}.`,
    tags: {
      notPublic: 'no es público',
      notWith: (profile) => `no con ${profile}`,
    },
    unavailable:
      'No disponible: todavía ningún enlace usa este contenido, o Feedhouse aún no ha leído el sitio web.',
    nothing: 'Por ahora no hay nada que mostrar.',
    noFeeds: 'No hay contenido público.',
  },
  followers: {
    title: 'Seguidores',
    heading: 'Seguidores por correo electrónico',
    about:
      'Muestre o elimine lo que se guarda sobre una dirección de correo, por ejemplo cuando la persona lo pida. Al eliminarlo, también dejan de enviarse los correos.',
    deleted: 'Se eliminaron todos los datos de esta dirección.',
    address: 'Dirección de correo electrónico',
    find: 'Buscar',
    nothing: 'No se guarda nada sobre esta dirección.',
    stored: 'Datos guardados sobre esta dirección',
    delete: 'Eliminar todos los datos',
    unreadable: {
      title: 'Seguidores con direcciones ilegibles',
      about: (count, shown) =>
        plural(count, {
          one: 'Una persona o un dispositivo no recibe mensajes, porque su dirección se cifró con otra clave (MAIL_KEY o mail.key). Use la clave que estaba en uso cuando empezó a seguir el sitio. Si se perdió, elimine al seguidor y pida a las personas que se suscriban de nuevo.',
          other: `${shown} personas o dispositivos no reciben mensajes, porque sus direcciones se cifraron con otra clave (MAIL_KEY o mail.key). Use la clave que estaba en uso cuando empezaron a seguir el sitio. Si se perdió, elimínelos y pida a las personas que se suscriban de nuevo.`,
        }),
      delete: 'Eliminar a estos seguidores',
      deleted: 'Se eliminaron los seguidores con direcciones ilegibles.',
    },
  },
  invitations: {
    title: 'Invitaciones',
    heading: 'Invitar a los miembros por correo electrónico',
    about:
      'Crea un enlace con todo el contenido para cada miembro y lo envía a su dirección en la lista de miembros. Quienes ya tienen un enlace no se invitan de nuevo. Si un correo no se pudo entregar, corrija la dirección en el sitio web, anule el enlace e invite al miembro otra vez.',
    load: 'Cargar los miembros del sitio web',
    reload: 'Volver a cargar los miembros',
    language: 'Idioma de los correos',
    notInvited: (count) => `Sin invitar (${count})`,
    send: 'Enviar las invitaciones',
    allLinked: 'Todos los miembros tienen un enlace.',
    linked: (count) => `Miembros con un enlace (${count})`,
    columns: { member: 'Miembro', email: 'Correo', opened: 'Abierto' },
    states: {
      linked: 'Tiene un enlace',
      waiting: 'Correo en espera',
      sent: 'Correo enviado',
      bounced: 'Correo no entregado',
    },
    lastOpened: 'Abierto por última vez:',
    neverOpened: 'Nunca abierto',
    invited: (count) =>
      `${members(count, 'Se invitó a 1 miembro', 'invitados')}. Los correos se envían uno tras otro.`,
    skipped: (count) =>
      `${members(count, '1 miembro omitido', 'omitidos')}, por no tener una dirección de correo utilizable o por tener ya un enlace.`,
    member: (id) => `Miembro ${id}`,
    faults: {
      notRead: 'No se pudieron leer los miembros del sitio web. Inténtelo de nuevo más tarde.',
      noneChosen: 'Elija a quién invitar.',
      tooManyFollowers: 'No se invitó a nadie, porque hay demasiados seguidores.',
      'too many':
        'Se alcanzó el número máximo de enlaces de suscripción, así que no se invitó a nadie.',
      'made already':
        'Se crearon otros enlaces al mismo tiempo. Revise la lista e inténtelo de nuevo.',
      stopped: (count, wanted) =>
        `Solo se invitó a ${count} de ${wanted} miembros, porque hay demasiados seguidores.`,
    },
  },
  databases: {
    title: 'Bases de datos',
    heading: 'Bases de datos propias',
    about:
      'Puede convertir una base de datos propia del sitio web en un calendario y un canal, para las personas con un enlace que la incluya. Elija una base de datos y los campos que se mostrarán, y guarde.',
    saved:
      'Los cambios se guardaron y se aplican en segundos. Los enlaces de suscripción muestran este contenido solo si lo incluyen.',
    none: 'El sitio web no tiene bases de datos propias.',
    untitled: (id) => `Base de datos ${id}`,
    isFeed: (feed) => `publicada como ${feed}`,
    recordTitle: 'Título de cada registro, con los campos entre llaves',
    fieldNames: 'Campos:',
    date: 'Fecha de cada registro',
    noDate: 'Ninguna: sin calendario',
    below: 'Debajo del título',
    choices: {
      none: 'No se muestra',
      all: 'Para todas las personas con un enlace',
      full: 'Solo con el perfil Completo',
    },
    id: 'Nombre en las direcciones (a–z y 0–9)',
    name: 'Título del contenido',
    showPreview: 'Mostrar la vista previa',
    preview: 'Vista previa',
    allArchived: 'Todos los registros de esta base de datos están archivados.',
    untitledRecord: 'Sin título',
    save: 'Guardar',
    thenLink: (feed) => `Después, cree un enlace de suscripción que incluya ${feed}.`,
    asSetting: 'Como opción de configuración',
    forSitesFile: 'Para la configuración de este sitio en el archivo de sitios:',
    forEnvironment: 'Para .env, en lugar de cualquier otra opción DATABASE_FEEDS:',
    copy: 'Copiar',
    theSetting: 'la opción',
    remove: 'Quitar este contenido',
    faults: {
      damaged:
        'La configuración de esta página no se puede leer, así que no hay contenido público. Primero guárdela en Configuración.',
      notWritable:
        'Los títulos y nombres no pueden contener comillas, #, $, barras invertidas, punto y coma, ni una palabra seguida directamente de dos puntos y texto.',
    },
  },
}
