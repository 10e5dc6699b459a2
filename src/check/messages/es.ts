import { pluralIn } from '../../records/messages.ts'
import type { CheckMessages } from './en.ts'

const plural = pluralIn('es')
const renew = 'renuévelo en el proxy.'

export const spanish: CheckMessages = {
  theAddress: 'la dirección',
  unreachable: (url, code, why) =>
    code === ''
      ? `No se puede abrir ${url} desde este equipo: ${why}`
      : `No se puede abrir ${url} desde este equipo (${code}): ${why}`,
  interrupted: 'se interrumpió la conexión.',
  reasons: (name) => ({
    'name unknown': `el nombre de host no existe; verifique el nombre en ${name} y su registro DNS.`,
    'name server': `en este momento no se puede resolver el nombre de host; verifique el nombre en ${name} y su registro DNS.`,
    refused: `nada responde en su puerto; inicie el proxy y verifique el puerto en ${name}.`,
    'no route': 'no hay una ruta hasta allí; verifique el registro DNS y la red.',
    'no answer': 'no responde; abra el puerto en el firewall y en el router.',
    'certificate expired': `su certificado venció; ${renew}`,
    'certificate not yet valid':
      'su certificado todavía no es válido; verifique el reloj de este equipo.',
    'certificate self-signed': `su certificado está autofirmado, y los teléfonos lo rechazan; ${renew}`,
    'certificate from an unknown authority':
      'los teléfonos no confían en su certificado; configure el proxy para que envíe los certificados intermedios, u obtenga un certificado de una autoridad pública.',
    'certificate of another host': `su certificado es para otro nombre de host; verifique el nombre en ${name} y su registro DNS.`,
    'no TLS': `allí no usa https; configure https en el proxy y verifique el puerto en ${name}.`,
  }),
  notEncrypted:
    'La dirección no está cifrada: cualquiera que tenga acceso a la red puede leerla, y algunas aplicaciones la rechazan. Coloque un proxy https delante del servidor y use la dirección https.',
  encrypted: 'La dirección usa https.',
  expires: (day) => `El certificado vence el ${day}. Averigüe por qué todavía no se ha renovado.`,
  trusted: (day) =>
    `El certificado es de confianza, corresponde al nombre de host y es válido hasta el ${day}.`,
  upgrades:
    'La dirección http redirige a https, y la mayoría de las aplicaciones siguen la redirección. Comparta la dirección https.',
  doesNotRedirect: 'La dirección no redirige a otra.',
  redirectsToItself:
    'La dirección redirige a sí misma o a una dirección no válida. Corrija el proxy.',
  redirectsToHttps: 'La dirección redirige a https. Use la dirección https.',
  redirects: (target) =>
    `La dirección redirige a ${target}. Algunas aplicaciones no siguen la redirección, y los iPhone importan entonces el calendario una sola vez. Use la dirección final o, si es una página de inicio de sesión, excluya de ella los calendarios y canales.`,
  validatorMissing: (header) =>
    `Falta ${header}, así que las aplicaciones descargan todo cada vez. Configure el proxy para que deje pasar ETag, Last-Modified e If-None-Match sin cambios.`,
  sentAgain: (status, header) =>
    `El contenido sin cambios se envía de nuevo (${status}) a pesar de ${header}, así que las aplicaciones descargan todo cada vez. Configure el proxy para que deje pasar ETag, Last-Modified e If-None-Match sin cambios.`,
  secondFailed:
    'Una segunda solicitud falló, así que el servidor no siempre está disponible. Revise su registro.',
  notSentAgain: 'El contenido sin cambios no se envía de nuevo (304).',
  portRedirects:
    'El puerto 80 redirige a https, así que los botones webcal: funcionan en todas las aplicaciones.',
  portDoesNotRedirect: (port) =>
    `El puerto ${port} no redirige a https. Algunas aplicaciones, como Thunderbird, abren allí las direcciones webcal:. Configure el proxy para que redirija http a https.`,
  portDoesNotRespond: (port) =>
    `El puerto ${port} no responde. Algunas aplicaciones, como Thunderbird, abren allí las direcciones webcal:. Abra el puerto y redirija http a https.`,
  password:
    'La dirección pide una contraseña, que las aplicaciones de calendario no pueden ingresar. Desactívela en el proxy para los calendarios y canales; los enlaces ya protegen el contenido privado.',
  refusingPage:
    'La dirección responde con una página web que niega el acceso, como una verificación del navegador. Excluya de ella los calendarios y canales, porque las aplicaciones no pueden pasarla.',
  statuses: {
    404: 'No hay nada en esta dirección (404). Verifique que esté completa y actualizada.',
    410: 'La dirección ya no está disponible (410), por ejemplo porque se anuló el enlace.',
    429: 'El servidor limita las solicitudes (429). Espere un minuto y vuelva a intentarlo.',
  },
  serverFails: (status) =>
    `El servidor responde con ${status}. Feedhouse se está iniciando o tiene una falla, o el proxy no puede llegar a él. Revise los registros de ambos.`,
  otherStatus: (status) =>
    `El servidor responde con ${status} en lugar de 200. Configure el proxy para que deje pasar el contenido sin cambios.`,
  tooLarge: (kilobytes, googleKilobytes) =>
    `La respuesta ocupa más de ${kilobytes} kB, así que no se leyó el resto. Google falla por encima de ${googleKilobytes} kB. Elija menos calendarios o menos días.`,
  notDecompressed:
    'La respuesta comprimida no se puede descomprimir. Desactive la compresión en el proxy; Feedhouse ya comprime el contenido.',
  webPage: 'una página web',
  webPageCalled: (title) => `la página web “${title}”`,
  pageWithPassword: (page) =>
    `La dirección muestra ${page}, que pide una contraseña. Excluya de ella los calendarios y canales, porque las aplicaciones de calendario no pueden iniciar sesión.`,
  pageInsteadOfFeed: (page) =>
    `La dirección muestra ${page} en lugar de un calendario o canal; por ejemplo, una página de inicio de sesión o una verificación del navegador. Use la dirección de un calendario o canal, o exclúyalos de esa página.`,
  pageWithoutFeeds: (page) =>
    `La dirección muestra ${page}, que no menciona calendarios ni canales. Si no es una página de inicio de sesión, use la dirección de uno de ellos.`,
  pageWithFeeds: (page, feeds) =>
    plural(feeds, {
      one: `La dirección muestra ${page}, que menciona ${feeds} calendario o canal.`,
      other: `La dirección muestra ${page}, que menciona ${feeds} calendarios o canales.`,
    }),
  unknownContent:
    'La respuesta no es un calendario ni un canal. Verifique la dirección y el proxy.',
  kinds: { calendar: 'calendario', RSS: 'canal RSS', Atom: 'canal Atom', 'JSON Feed': 'JSON Feed' },
  complete: (kind, entries) =>
    plural(entries, {
      one: `La respuesta está completa: ${kind} con ${entries} elemento.`,
      other: `La respuesta está completa: ${kind} con ${entries} elementos.`,
    }),
  damaged: (kind, reason) =>
    `Contenido dañado (${kind}): ${reason}. Verifique si un proxy lo modifica.`,
  damages: {
    byteOrderMark: 'empieza con una marca de orden de bytes, que varias aplicaciones rechazan',
    notAProperty: (line) => `la línea ${line} no es una propiedad de calendario`,
    continues: 'continúa después de END:VCALENDAR',
    notOpen: (line) => `la línea ${line} cierra un componente que no está abierto`,
    noUid: 'una entrada no tiene UID',
    sameUid: 'dos entradas tienen el mismo UID, así que las aplicaciones muestran solo una',
    isCutOff: (component) => `falta END:${component}, así que está cortado`,
    noVersion: 'falta VERSION:2.0',
    invalidJson: 'no es JSON válido',
    notClosed: (element) => `el elemento <${element}> no está cerrado`,
  },
  type: (name) => `El tipo de contenido es ${name}.`,
  wrongType: (name, expected) =>
    `El tipo de contenido es ${name} en lugar de ${expected}. Configure el proxy para que no lo cambie.`,
  noType: (expected) =>
    `Falta el tipo de contenido, que debe ser ${expected}. Configure el proxy para que no lo cambie.`,
  size: (kilobytes) => `El tamaño es de ${kilobytes} kB.`,
  sizeTooLargeForGoogle: (kilobytes, googleKilobytes) =>
    `El tamaño es de ${kilobytes} kB. El Calendario de Google falla por encima de unos ${googleKilobytes} kB. Elija menos calendarios o menos días.`,
  sizeLarge: (kilobytes) =>
    `El tamaño es de ${kilobytes} kB. Muestre menos elementos, o resúmenes en lugar del texto completo.`,
  fast: 'La respuesta tardó menos de 0.1 segundos.',
  took: (seconds) => `La respuesta tardó ${seconds} segundos.`,
  slow: (seconds) =>
    `La respuesta tardó ${seconds} segundos. Mientras tanto, los iPhone no muestran ningún avance, y parece que el botón no funciona.`,
  tooSlow: (seconds) =>
    `La respuesta tardó ${seconds} segundos, y las aplicaciones no esperan tanto. Revise la carga y la red del servidor.`,
  compressed: (coding) => `La respuesta está comprimida con ${coding}.`,
  notCompressed:
    'La respuesta no está comprimida. Configure el proxy para que deje pasar Accept-Encoding.',
  maybeCached:
    'Cache-Control no contiene “private”, así que las memorias caché compartidas pueden guardar este contenido privado. Configure el proxy para que no cambie el encabezado.',
  isPrivate: 'Las memorias caché compartidas no lo guardan, y los buscadores no lo muestran.',
  maybeListed:
    'X-Robots-Tag no contiene “noindex”, así que los buscadores pueden mostrar esta dirección privada. Configure el proxy para que no cambie el encabezado.',
  noEffect: (name, suggestion) =>
    suggestion === undefined
      ? `El parámetro “${name}” de la dirección no tiene ningún efecto.`
      : `El parámetro “${name}” de la dirección no tiene ningún efecto. ¿Quiso decir “${suggestion}”?`,
}
