import { pluralIn } from '../../../../records/messages.ts'
import type { LinkMessages } from './en.ts'

const plural = pluralIn('es')

export const spanish: LinkMessages = {
  all: 'Todos los enlaces de suscripción',
  title: 'Enlaces de suscripción',
  about:
    'Cada enlace abre una página privada con calendarios y noticias. Cree uno para cada miembro, oficial o pantalla; así podrá anularlos por separado más adelante.',
  health: {
    starting: 'Iniciando.',
    good: 'Todo está bien.',
    bad: (count) =>
      plural(count, {
        one: 'Hay algo que atender.',
        other: `Hay ${count} avisos que atender.`,
      }),
    notes: (count) => plural(count, { one: 'Hay una nota.', other: `Hay ${count} notas.` }),
  },
  list: {
    label: 'Enlaces',
    new: 'Nuevo enlace',
    poster: 'Cartel',
    posterUse: 'para el contenido público',
    fromList: 'Enlaces a partir de una lista',
    invite: 'Invitar a los miembros',
    changed: {
      saved: 'Se guardaron los cambios.',
      paused: 'El enlace está en pausa.',
      resumed: 'El enlace funciona de nuevo.',
      revoked: 'El enlace quedó anulado.',
    },
    unavailable:
      'Por ahora no se pueden mostrar los enlaces. Los enlaces existentes siguen funcionando.',
    none: 'Todavía no hay enlaces.',
    firstSteps: (settings) =>
      `Primero, elija el nombre, el color, el logotipo y el contenido público en ${settings('Configuración')}. Después, cree un enlace para usted y ábralo en su teléfono para ver lo mismo que verán los miembros.`,
    search: 'Buscar',
    sortBy: 'Ordenar por',
    sorts: {
      newest: 'Los más nuevos primero',
      name: 'Nombre',
      used: 'Usados más recientemente',
      expires: 'Próximos a vencer primero',
    },
    show: 'Mostrar',
    matching: (count, shown) =>
      plural(count, { one: 'Coincide 1 enlace.', other: `Coinciden ${shown} enlaces.` }),
    showAll: (count) => `Mostrar todos (${count})`,
    ended: (count) => `Enlaces terminados (${count})`,
    endedOnPage: (count) => `Enlaces terminados (${count} en esta página)`,
    pages: 'Páginas de enlaces',
    page: (page, count) => `Página ${page} de ${count}`,
    previous: 'Página anterior',
    next: 'Página siguiente',
    lost: '¿Se perdió la dirección? La dirección y su código QR no se pueden volver a mostrar, porque Feedhouse no guarda la dirección. Renueve el enlace para obtener una nueva.',
    for: 'Para',
    shows: 'Muestra',
    lastReadBy: 'Última lectura',
    state: 'Estado',
    late: 'atrasada',
    moreReaders: (count) => `y ${count} más`,
    neverUsed: 'Nunca se ha usado',
    details: 'Detalles',
    edit: 'Editar',
    renew: 'Renovar',
  },
  created: (day) => `Creado el ${day}`,
  createdFor: (day, member) => `Creado el ${day}, para ${member}`,
  member: (id) => `el miembro ${id}`,
  profiles: { public: 'Público', members: 'Miembros', full: 'Completo' },
  profileTexts: {
    public: 'Todo lo que cualquier persona puede leer sin un enlace.',
    members:
      'Todo lo que los miembros pueden ver, incluidos los contactos de los eventos, pero sin los nombres de quienes alquilan o se inscriben.',
    full: 'Todo, incluidos los nombres de quienes alquilan o se inscriben y lo que no está publicado.',
  },
  allFeeds: 'Todo el contenido',
  states: {
    revoked: 'Anulado',
    paused: 'En pausa',
    expired: 'Vencido',
    old: 'Dirección anterior',
    works: 'Funciona',
    since: (day) => `desde el ${day}`,
    until: (day) => `hasta el ${day}`,
  },
  apps: {
    'other calendar': 'Otro calendario',
    reader: 'Lector RSS',
    screen: 'Pantalla',
    other: 'Navegador u otro',
  },
  fields: {
    label: 'Para quién o para qué es, por ejemplo: Cap. Reyes o Pantalla del salón',
    profile: 'Qué se puede ver',
    feeds: 'Contenido',
    allFeeds: 'Todo el contenido, incluido el futuro',
    allExceptSensitive: 'Todo el contenido, incluido el futuro, excepto el confidencial',
    onlyThese: 'Solo lo siguiente:',
    sensitive: 'Confidencial:',
    members: 'Miembros: teléfonos y direcciones (requiere Completo)',
    expires: 'Último día (vacío: sin vencimiento)',
    member:
      'Miembro del sitio web para quien es (opcional): la página le saluda por su nombre y muestra sus propios turnos',
    memberId:
      'ID del miembro del sitio web para quien es (opcional): la página le saluda por su nombre y muestra sus propios turnos',
    noMember: 'Nadie en particular',
    unknownMember: (id) => `No es un miembro actual (${id})`,
    loadMembers: 'Cargar los miembros del sitio web',
    reloadMembers: 'Volver a cargar los miembros',
    create: 'Crear enlace',
    createMany: 'Crear enlaces',
    save: 'Guardar',
    cancel: 'Cancelar',
  },
  faults: {
    id: 'Vuelva a cargar la página de administración.',
    label: (max) =>
      `Escriba para quién o para qué es el enlace, con ${max} caracteres como máximo.`,
    member: 'Escriba el ID de un miembro del sitio web, por ejemplo 12, o deje el campo vacío.',
    profile: 'Elija un perfil.',
    feeds: 'Elija todo el contenido, o “Solo lo siguiente” y al menos una opción.',
    expires: 'Elija la fecha de hoy o una posterior como último día.',
    overlap: 'Elija cuánto tiempo seguirá funcionando la dirección anterior.',
    noMembers: {
      'not allowed':
        'El API Project no tiene permiso para leer los miembros. Permítalo en el sitio web o escriba el ID del miembro.',
      'not read yet':
        'No se pudieron leer los miembros del sitio web. Inténtelo de nuevo más tarde o escriba el ID del miembro.',
    },
    notAdded: {
      'too many':
        'Se alcanzó el número máximo de enlaces de suscripción. Anule los que ya no se necesiten.',
      'made already':
        'Este enlace ya se había creado, y su dirección se mostró una vez. Si la perdió, anule el enlace y cree otro.',
    },
    listNotAdded: {
      'too many':
        'Se superaría el número máximo de enlaces de suscripción, así que no se creó ninguno. Anule los que ya no se necesiten o acorte la lista.',
      'made already':
        'Estos enlaces ya se habían creado, y sus direcciones se mostraron una vez. Si las perdió, anule los enlaces y cree otros.',
    },
    notEdited: {
      revoked: 'Mientras tanto, este enlace fue anulado; no se guardó nada. Cree un enlace nuevo.',
      'changed meanwhile':
        'Otra persona cambió este enlace después de que usted abrió esta página; no se guardó nada. Arriba están las propiedades actuales y abajo, los cambios que usted hizo. Guarde de nuevo para reemplazar las propiedades actuales.',
    },
    notRenewed: {
      revoked: 'Mientras tanto, este enlace fue anulado; no se renovó. Cree un enlace nuevo.',
      'changed meanwhile':
        'Este enlace se cambió o se renovó después de que usted abrió esta página; no se renovó otra vez. Si se perdió la nueva dirección, renueve el enlace de nuevo.',
    },
  },
  memberFaults: {
    'not read':
      'Todavía no se han leído los miembros del sitio web, así que my.ics no contiene eventos personales.',
    'not allowed':
      'El API Project no tiene permiso para leer los miembros, así que my.ics no contiene eventos personales. Lo demás no cambia. Pida a quien administra el sitio web que permita el endpoint members en el área de miembros (Members Area), en Manage > API.',
    'not listed':
      'El miembro no está en la lista del sitio web, así que my.ics no contiene eventos personales. Lo demás no cambia. Si la persona se fue, anule el enlace. Si no, elija otro miembro.',
    'incomplete name':
      'Al miembro le falta el nombre o el apellido en el sitio web, así que my.ics no puede mostrar sus inscripciones; esto no afecta las certificaciones. Complete el nombre en el sitio web.',
    'shared name':
      'Otro miembro tiene el mismo nombre y apellido, y las hojas de inscripción no tienen ID de miembro, así que my.ics no muestra inscripciones; esto no afecta las certificaciones. Distinga los nombres en el sitio web, por ejemplo agregando un segundo nombre.',
  },
  membersTexts: {
    fault:
      'La lista de miembros solo está disponible con el perfil Completo. Elija ese perfil o quite los miembros.',
    warning:
      'Este enlace contiene los teléfonos, correos electrónicos y direcciones postales de todos los miembros. Cualquier persona que tenga su dirección puede leerlos; compártalo solo con quienes pueden tener estos datos.',
  },
  new: {
    title: 'Nuevo enlace de suscripción',
    about:
      'Una página privada con calendarios y noticias, para una persona o una pantalla. Solo quien tenga su dirección puede abrirla.',
    linkFor: (label) => `Enlace para ${label}`,
    access: (feeds, profile) =>
      `Cópielo, envíelo o imprímalo ahora: se muestra solo una vez. Da acceso a lo siguiente con el perfil “${profile}”: ${feeds}.`,
    accessUntil: (feeds, profile, day) =>
      `Cópielo, envíelo o imprímalo ahora: se muestra solo una vez. Da acceso a lo siguiente con el perfil “${profile}”, hasta el ${day}: ${feeds}.`,
    allFeeds: 'todo el contenido',
    replaces: (day) =>
      `Reemplaza la dirección anterior, que funciona hasta el ${day}. Antes de esa fecha, dé la nueva a todas las personas que usan la anterior.`,
    address: 'Dirección',
    copy: 'Copiar',
    print: 'Imprimir la tarjeta',
    open: 'Abrir el enlace',
    setUpScreen: 'Configurar una pantalla',
  },
  cards: {
    title: 'Tarjetas',
    newLinks: (count) =>
      plural(count, { one: 'Un enlace nuevo', other: `${count} enlaces nuevos` }),
    about:
      'Imprima o guarde estas tarjetas ahora: las direcciones se muestran solo una vez. Elija abajo un tamaño para papel A4 o Carta.',
    print: 'Imprimir las tarjetas',
    size: 'Tamaño',
    business: 'Tarjetas de presentación, ocho por hoja',
    postcards: 'Tarjetas postales (A6), cuatro por hoja',
  },
  edit: {
    id: (id) => `ID ${id}`,
    isRevoked: 'Un enlace anulado no se puede cambiar. Cree uno nuevo.',
    properties: 'Propiedades',
    about:
      'Los cambios se aplican en segundos. La dirección sigue siendo la misma, así que las suscripciones existentes los reciben.',
    apps: 'Aplicaciones que lo usan',
    chart: 'Aplicaciones en cada uno de los últimos 30 días',
    lastUsed: (time, app) => `Último uso: ${time} (${app}).`,
    unused: 'Todavía ninguna aplicación ha leído este enlace.',
    address: 'Dirección y código QR',
    aboutAddress:
      'La dirección y su código QR no se pueden volver a mostrar, porque Feedhouse no guarda la dirección. Así, una copia robada de sus datos no da acceso. Para obtener una dirección nueva con la misma configuración, renueve el enlace.',
    overlap: 'La dirección anterior sigue funcionando durante',
    days: (count) => plural(count, { one: '1 día', other: `${count} días` }),
    lastDay: 'Último día de la dirección nueva (opcional)',
    renew: 'Renovar el enlace',
    resume: {
      title: 'Reactivar',
      about: 'Todas las personas que usan este enlace vuelven a ver su contenido.',
      button: 'Reactivar el enlace',
    },
    pause: {
      title: 'Poner en pausa',
      about:
        'Hasta que reactive el enlace, las personas que lo usan solo ven un aviso. Conservan sus suscripciones.',
      button: 'Poner el enlace en pausa',
    },
    revoke: {
      title: 'Anular',
      summary: 'Anular el enlace',
      about:
        'El enlace deja de funcionar en segundos. Esto no se puede deshacer. Durante 14 días, sus suscriptores ven un aviso.',
      button: 'Anular ahora',
    },
  },
  import: {
    title: 'Nuevos enlaces de suscripción',
    heading: 'Nuevos enlaces de suscripción a partir de una lista',
    about:
      'Crea un enlace para cada fila y muestra una hoja de tarjetas para imprimir. Las direcciones se muestran solo una vez.',
    moreProblems: (count) =>
      plural(count, {
        one: 'Hay 1 problema más en la lista.',
        other: `Hay ${count} problemas más en la lista.`,
      }),
    noneCreated: 'No se creó ningún enlace.',
    names: (max, columns) =>
      `Nombres, uno por fila, ${max} como máximo. Las demás columnas son opcionales: ${columns}`,
    example: (columns) =>
      `${columns}\nCap. Reyes,full\nPantalla del salón,members,calendar rental,2027-06-30`,
    file: 'O un archivo CSV, que reemplaza los nombres de arriba',
    defaults:
      'Estos valores se aplican a las filas en las que la columna está vacía. En la columna “member”, escriba un ID, o un nombre cuando los miembros estén cargados.',
    defaultsWithMembers:
      'Estos valores se aplican a las filas en las que la columna está vacía. En la columna “member”, escriba un ID o un nombre.',
    faults: {
      row: (row, fault) => `Fila ${row}: ${fault}`,
      encoding:
        'El archivo no está en UTF-8, así que algunas letras no se pueden leer. En Excel, guárdelo como “CSV UTF-8”.',
      empty: 'Escriba o elija una lista de nombres.',
      onlyHeader: 'La lista no tiene nombres debajo del encabezado.',
      tooMany: (rows, max) =>
        `La lista tiene ${rows} filas, y el máximo es ${max}. Divídala en varias listas.`,
      repeatedName: (name, row) =>
        `El nombre “${name}” también está en la fila ${row}. Agregue algo que distinga los dos enlaces.`,
      semicolons: 'Separe las columnas con comas en lugar de punto y coma.',
      unknownColumn: (column, columns) =>
        `La columna “${column}” es desconocida. Las columnas son ${columns}.`,
      repeatedColumn: (column, columns) =>
        `La columna “${column}” aparece dos veces. Las columnas son ${columns}.`,
      tooManyCells: (max) =>
        `Hay más de ${max} celdas. Una celda que contiene una coma debe ir entre comillas.`,
      name: (max) => `Escriba un nombre de ${max} caracteres como máximo.`,
      profile: (text, [members, full]) =>
        `El perfil “${text}” es desconocido. Use ${members} o ${full}. Una celda que contiene una coma debe ir entre comillas.`,
      feed: (id, known) => `“${id}” es desconocido. Use all, o algunos de estos: ${known}.`,
      expires: (text) =>
        `“${text}” no puede ser el último día. Use la fecha de hoy o una posterior, como 2027-06-30, o never.`,
      memberId: (text) =>
        `“${text}” no es el ID de un miembro. Cargue los miembros para usar sus nombres.`,
      noMember: (text) => `El sitio web no tiene ningún miembro “${text}”.`,
      severalMembers: (text, ids) =>
        `Varios miembros se llaman “${text}”. Use uno de sus ID: ${ids}.`,
      textAfterQuote:
        'Hay texto después de unas comillas. Escriba dos veces cada comilla dentro de una celda.',
      unclosedQuote: 'Faltan las comillas de cierre de una celda.',
    },
  },
}
